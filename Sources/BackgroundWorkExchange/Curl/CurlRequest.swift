import BackgroundWorkModel
import BackgroundWorkTransfers
import CBackgroundWorkCurl

/// libcurl's side of an exchange: the easy handle, its options, and its memory.
package final class CurlRequest {
    package static let maximumRedirects = 10
    private static let errorBytes = 256

    package let handle: UnsafeMutableRawPointer
    private let headerLines: [String]
    private var headers: UnsafeMutablePointer<curl_slist>?
    /// The headers that may be sent to any origin; created when needed.
    private var harmlessHeaders: UnsafeMutablePointer<curl_slist>?
    private let ownOriginHeaders: Set<String>
    private let hasCertificate: Bool
    /// Whether the client's credentials are sent to the server that is dialed.
    package private(set) var givesCredentials = true
    private let errorText: UnsafeMutablePointer<CChar>

    /// `exchange` must outlive the request: libcurl's callbacks are given it unretained.
    package init?(_ plan: RequestPlan, exchange: Exchange) {
        guard let handle = bgw_curl_easy_init() else { return nil }
        self.handle = handle
        errorText = .allocate(capacity: Self.errorBytes)
        errorText.initialize(repeating: 0, count: Self.errorBytes)
        ownOriginHeaders = plan.ownOriginHeaders
        hasCertificate = plan.options.tls.clientCertificatePath != nil
        headerLines =
            plan.headerLines
            + (plan.unpacksBody ? ["Accept-Encoding: \(plan.asksForCompression ? "gzip, deflate" : "identity")"] : [])
        for line in headerLines { headers = bgw_curl_slist_append(headers, line) ?? headers }
        bgw_curl_set_error_buffer(handle, errorText)
        bgw_curl_set_headers(handle, headers)
        set(CURLOPT_URL, plan.url)
        let context = Unmanaged.passUnretained(exchange).toOpaque()
        setMethod(plan.method, context: context)
        setTransport(plan)
        setRedirects(plan, isSecure: exchange.url.scheme == "https")
        setAuthentication(plan.options.authentication)
        setTLS(plan.options.tls)
        bgw_curl_set_body_function(handle, CurlCallbacks.body, context)
        bgw_curl_set_header_function(handle, CurlCallbacks.header, context)
        bgw_curl_set_socket_function(handle, CurlCallbacks.socket, context)
        if plan.connectsOnly {
            setConnectOnly()
            // A connection of its own, so nobody has to be asked before one is used again.
            bgw_curl_set_connected_function(handle, CurlCallbacks.connected, context)
            return
        }
        guard bgw_curl_set_connected_function(handle, CurlCallbacks.connected, context) != CURLE_OK else { return }
        // Without it nobody asks before a connection is used again. So only those are shared that were dialed under one
        // policy, the usual one.
        if plan.securityPolicy != .publicInternet {
            set(CURLOPT_FRESH_CONNECT, 1)
            set(CURLOPT_FORBID_REUSE, 1)
        }
    }

    deinit {
        bgw_curl_easy_cleanup(handle)
        bgw_curl_slist_free_all(headers)
        bgw_curl_slist_free_all(harmlessHeaders)
        errorText.deallocate()
    }

    private func set(_ option: CURLoption, _ value: Int) { bgw_curl_set_long(handle, option, value) }

    private func set(_ option: CURLoption, _ value: String) { bgw_curl_set_string(handle, option, value) }

    private func setMethod(_ method: RequestPlan.Method, context: UnsafeMutableRawPointer) {
        switch method {
        case .get: break
        case .head: set(CURLOPT_NOBODY, 1)
        case .bare(let name): set(CURLOPT_CUSTOMREQUEST, name)
        case .send(let name, let bytes):
            if name == "POST" {
                // Not as a PUT with another method name: redirects treat a POST specially.
                set(CURLOPT_POST, 1)
                bgw_curl_set_large(handle, CURLOPT_POSTFIELDSIZE_LARGE, bytes)
            } else {
                set(CURLOPT_UPLOAD, 1)
                bgw_curl_set_large(handle, CURLOPT_INFILESIZE_LARGE, bytes)
                if name != "PUT" { set(CURLOPT_CUSTOMREQUEST, name) }
            }
            bgw_curl_set_read_function(handle, CurlCallbacks.supply, context)
            bgw_curl_set_seek_function(handle, CurlCallbacks.seek, context)
        }
    }

    private func setTransport(_ plan: RequestPlan) {
        set(CURLOPT_NOSIGNAL, 1)
        bgw_curl_leave_resolver_behind(handle)
        // Set in any case: unset, libcurl would look into the agent's environment.
        set(CURLOPT_PROXY, plan.proxy ?? "")
        // Likewise: which hosts are reached without the proxy was decided before.
        set(CURLOPT_NOPROXY, "")
        // The proxy's answer to CONNECT is not the server's.
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        set(CURLOPT_BUFFERSIZE, plan.bufferBytes)
        if case .send = plan.method { set(CURLOPT_UPLOAD_BUFFERSIZE, plan.bufferBytes) }
        let connect = plan.connectTimeout ?? min(plan.options.stallTimeout, .seconds(60))
        set(CURLOPT_CONNECTTIMEOUT_MS, Int(min(max(connect.milliseconds, 1), Int64(Int32.max))))
        if let jar = plan.cookies { jar.serve(handle) }
        // Kept for the next transfer, but for a limited time: servers close idle connections after about a minute.
        set(CURLOPT_MAXAGE_CONN, 60)
    }

    private func setConnectOnly() {
        set(CURLOPT_CONNECT_ONLY, 1)
        // What HTTP/2 offers is no stream of bytes.
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        // A proxy passes on requests of http by itself, unless it is asked for a tunnel.
        set(CURLOPT_HTTPPROXYTUNNEL, 1)
        // Never CURLOPT_FORBID_REUSE, with which libcurl closes the connection as soon as it stands.
        set(CURLOPT_FRESH_CONNECT, 1)
    }

    private func setRedirects(_ plan: RequestPlan, isSecure: Bool) {
        set(CURLOPT_FOLLOWLOCATION, plan.followsRedirects ? 1 : 0)
        set(CURLOPT_MAXREDIRS, plan.maximumRedirects)
        bgw_curl_allow_web_protocols(handle, isSecure ? 1 : 0)
    }

    /// libcurl sends these to the first origin only.
    private func setAuthentication(_ authentication: HTTPAuthentication?) {
        switch authentication {
        case .basic(let user, let password): setUser(user, password, scheme: 1)
        case .digest(let user, let password): setUser(user, password, scheme: 2)
        // Written into the header's lines.
        case .bearer, nil: break
        }
    }

    /// `scheme`: CURLAUTH_BASIC or CURLAUTH_DIGEST, which Swift does not import.
    private func setUser(_ user: String, _ password: String, scheme: Int) {
        set(CURLOPT_USERNAME, user)
        set(CURLOPT_PASSWORD, password)
        set(CURLOPT_HTTPAUTH, scheme)
    }

    private func setTLS(_ tls: TLSOptions) {
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if let path = tls.clientCertificatePath {
            set(CURLOPT_SSLCERT, path)
            if tls.hasPKCS12Certificate { set(CURLOPT_SSLCERTTYPE, "P12") }
        }
        if let path = tls.clientKeyPath { set(CURLOPT_SSLKEY, path) }
        // Without a password OpenSSL would ask for one on the terminal.
        if hasCertificate { set(CURLOPT_KEYPASSWD, tls.clientKeyPassword ?? "") }
        if let path = tls.additionalAuthoritiesPath {
            // The file replaces the system's bundle; the system's folder of authorities is still used.
            set(CURLOPT_CAINFO, path)
            set(CURLOPT_CAPATH, "/etc/ssl/certs")
        }
        if !tls.pinnedPublicKeys.isEmpty {
            set(CURLOPT_PINNEDPUBLICKEY, tls.pinnedPublicKeys.map { "sha256//\($0)" }.joined(separator: ";"))
        }
    }

    /// What a 303 leads to is fetched, whatever the request was (RFC 9110, section 15.4.4); libcurl keeps a method that was
    /// given by name.
    func fetchNext() { bgw_curl_set_string(handle, CURLOPT_CUSTOMREQUEST, nil) }

    /// What is answered now is the response.
    func followNoMore() { set(CURLOPT_FOLLOWLOCATION, 0) }

    /// From now on redirects may only lead to https. For a chain of redirects that has reached https.
    package func forbidPlainRedirects() { bgw_curl_allow_web_protocols(handle, 1) }

    /// From now on the request carries no credentials of the client. For a chain of redirects that leaves the first
    /// origin.
    ///
    /// libcurl reads certificate and headers from these options when it starts the next request of the chain; for an
    /// existing connection it has its own copies.
    package func withholdCredentials() {
        guard givesCredentials else { return }
        givesCredentials = false
        for line in headerLines where !SecretHeader.isSecret(line: line, or: ownOriginHeaders) {
            harmlessHeaders = bgw_curl_slist_append(harmlessHeaders, line) ?? harmlessHeaders
        }
        bgw_curl_set_headers(handle, harmlessHeaders)
        for option in [CURLOPT_SSLCERT, CURLOPT_SSLKEY, CURLOPT_KEYPASSWD] {
            bgw_curl_set_string(handle, option, nil)
        }
    }

    /// Whether a connection that is dialled now would be offered the client's certificate.
    package var offersCertificate: Bool { hasCertificate && givesCredentials }

    /// Continues after a callback has paused the exchange. May call callbacks.
    package func goOn() { bgw_curl_easy_continue(handle) }

    /// Of a request that has only connected; -1 without a connection.
    package var socket: Int32 { bgw_curl_active_socket(handle) }

    /// How many bytes were sent; `nil` when the socket is not ready: then the same bytes at the same address are to be
    /// tried again. Throws libcurl's code.
    package func send(_ bytes: UnsafeRawBufferPointer) throws(CurlFailure) -> Int? {
        var count = 0
        return try Self.moved(bgw_curl_easy_send(handle, bytes.baseAddress, bytes.count, &count)) { count }
    }

    /// How many bytes were received, 0 at the end; `nil` when the socket is not ready. Throws libcurl's code.
    package func receive(into space: UnsafeMutableRawBufferPointer) throws(CurlFailure) -> Int? {
        var count = 0
        return try Self.moved(bgw_curl_easy_receive(handle, space.baseAddress, space.count, &count)) { count }
    }

    private static func moved(_ code: CURLcode, _ count: () -> Int) throws(CurlFailure) -> Int? {
        switch code {
        case CURLE_OK: return count()
        case CURLE_AGAIN: return nil
        default: throw CurlFailure(code: code)
        }
    }

    package var redirects: Int {
        var count = 0
        bgw_curl_get_long(handle, CURLINFO_REDIRECT_COUNT, &count)
        return count
    }

    /// The URL that answered, after redirects.
    package var effectiveURL: String {
        var url: UnsafePointer<CChar>?
        bgw_curl_get_string(handle, CURLINFO_EFFECTIVE_URL, &url)
        return url.map { String(cString: $0) } ?? ""
    }

    /// libcurl's description of the error.
    package func detail(of code: CURLcode) -> String {
        let text = String(cString: errorText)
        if !text.isEmpty { return text }
        return bgw_curl_easy_strerror(code).map { String(cString: $0) } ?? "libcurl error \(code.rawValue)"
    }
}

/// libcurl could not send or receive.
package struct CurlFailure: Error {
    package let code: CURLcode
}
