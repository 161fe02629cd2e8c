import BackgroundWorkModel
import BackgroundWorkTransfers

/// A request that was checked, with what the transport adds to it.
package struct PreparedRequest: Sendable {
    package let address: String
    package let url: TransferURL
    let method: String
    /// All that are to be sent, checked.
    package let fields: [HTTPHeaders.Field]
    package let timeouts: HTTPTimeouts
    let maximumRedirects: Int
    let responseLimit: Int64?
    /// Whether a compressed response is asked for.
    let asksForCompression: Bool
    /// Of responses that are not 2xx.
    let cutsFailures: Bool
    /// Whether one is decompressed.
    let decompresses: Bool
    /// Above 0; `nil` for no limit.
    let bytesPerSecond: Int64?
    /// In lower case.
    let ownOriginHeaders: Set<String>
    let authentication: HTTPAuthentication?
    package let tls: TLSOptions
    /// Looked up.
    package let proxy: ProxyChoice
    package let policy: SecurityPolicy

    /// To be hidden in what the server says.
    var secrets: KnownSecrets {
        KnownSecrets(of: address, options, headers: fields.map { ($0.name, $0.value) })
    }

    /// What it has in common with transfers, without its headers.
    package var options: TransferOptions {
        var options = TransferOptions()
        options.stallTimeout = timeouts.request
        options.authentication = authentication
        options.tls = tls
        options.proxy = proxy
        return options
    }

    /// Throws an ``HTTPError`` of the kind `invalid` or `refused`.
    package init(
        _ request: HTTPRequest, _ configuration: HTTPTransport.Configuration,
        environment: () -> [String: String] = ProxyVariables.ofProcess
    ) throws(HTTPError) {
        address = request.url
        url = TransferURL(request.url, method: request.method)
        method = request.method
        timeouts = request.timeouts
        maximumRedirects = max(0, min(request.maximumRedirects, 100))
        responseLimit = request.responseLimit
        bytesPerSecond = request.bytesPerSecond
        ownOriginHeaders = Set(request.ownOriginHeaders.map { $0.lowercased() })
        authentication = request.authentication
        tls = request.tls
        policy = configuration.securityPolicy
        let leavesCoding = request.headers["Accept-Encoding"] == nil
        asksForCompression = request.acceptsCompression && !request.wantsIdentity && leavesCoding
        decompresses = (request.acceptsCompression || request.wantsIdentity) && leavesCoding
        cutsFailures = request.cutsFailures
        try Self.check(request, url, policy)
        guard !configuration.keepsCookies || request.headers["Cookie"] == nil else {
            throw .invalid(
                "its header \"Cookie\" would be sent beside the cookies that the transport keeps; leave it out, or use a "
                    + "transport without keepsCookies", url)
        }
        fields = try Self.fields(of: request, userAgent: configuration.userAgent, url)
        do throws(ProxyRules.UnusableProxy) {
            proxy = try ProxyRules.resolved(request.proxy, for: address, under: policy, environment: environment)
        } catch {
            throw .invalid("\(error)", url)
        }
    }

    private static func check(
        _ request: HTTPRequest, _ url: TransferURL, _ policy: SecurityPolicy
    ) throws(HTTPError) {
        guard HeaderSyntax.isToken(request.method) else { throw .invalid("its method is no HTTP method", url) }
        guard request.method != "CONNECT" else { throw .invalid("CONNECT is for proxies only", url) }
        if let complaint = URLSyntax.complaint(about: request.url) { throw .invalid("its URL \(complaint)", url) }
        if let complaint = policy.complaint(about: request.url) {
            throw HTTPError(kind: .refused, message: "\(url.label): \(complaint)", isRetryable: false)
        }
        if case .url(let proxy) = request.proxy, let complaint = ProxyRules.complaint(about: proxy, under: policy) {
            throw HTTPError(kind: .refused, message: "\(url.label): its proxy: \(complaint)", isRetryable: false)
        }
        if let complaint = request.authentication?.complaint { throw .invalid("its authentication: \(complaint)", url) }
        if let complaint = request.tls.complaint {
            throw .invalid("its \(complaint.field): \(complaint.reason)", url)
        }
        for file in request.tls.files { try FileRules(policy).check(file.path, for: url, use: .certificate) }
        let timeouts = request.timeouts
        guard timeouts.connect > .zero, timeouts.request > .zero, timeouts.resource > .zero else {
            throw .invalid("a time limit is not above 0", url)
        }
        if case .stream(let length?, _) = request.body, length < 0 {
            throw .invalid("the length of its body is \(length) bytes", url)
        }
        if let rate = request.bytesPerSecond {
            guard rate > 0 else { throw .invalid("its bytesPerSecond is not above 0", url) }
            guard PlatformBackend.limitsSpeed else {
                throw .invalid(
                    "a URL session has no limit of speed; leave bytesPerSecond out on this platform", url)
            }
        }
        if case .form(let form) = request.body {
            let texts = [form.mimeType ?? "", form.fieldName, form.fileName ?? ""] + form.fields.keys
            guard texts.allSatisfy(HeaderSyntax.isOneLine) else {
                throw .invalid("a name in its form has a line break or NUL", url)
            }
        }
        if request.body != nil, ["GET", "HEAD", "TRACE"].contains(request.method) {
            throw .invalid("a \(request.method) request has no body", url)
        }
    }

    private static func fields(
        of request: HTTPRequest, userAgent: String, _ url: TransferURL
    ) throws(HTTPError) -> [HTTPHeaders.Field] {
        var headers = request.headers
        if case .bearer(let token) = request.authentication { headers["Authorization"] = "Bearer \(token)" }
        if case .form(let form) = request.body { headers["Content-Type"] = form.frame.contentType }
        if headers["User-Agent"] == nil { headers["User-Agent"] = userAgent }
        for field in headers.fields {
            guard HeaderSyntax.isToken(field.name), HeaderSyntax.isOneLine(field.value) else {
                let name = HeaderSyntax.shown(field.name).printable
                throw .invalid("its header \"\(name)\" has characters that no header may have", url)
            }
            guard !HeaderSyntax.isTransportOwned(field.name) else {
                throw .invalid("its header \"\(field.name)\" is written by the transport itself; leave it out", url)
            }
        }
        return headers.fields
    }
}

extension PreparedRequest {
    /// As the rules of transfers know a request.
    package var specification: TransferSpecification {
        var options = options
        options.headers = Dictionary(fields.map { ($0.name, $0.value) }) { first, _ in first }
        return TransferSpecification(
            reference: TransferReference(store: "http", key: TransferKey(workID: method, generation: 1)),
            sessionIdentifier: "http", url: address, options: options, securityPolicy: policy, savePath: "/",
            workerName: "HTTPTransport")
    }
}
