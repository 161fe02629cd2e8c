import BackgroundWorkHTTP
import BackgroundWorkTransfers

extension TransferInputRules {
    /// Throws a ``WorkerInputError`` with the field and the valid values.
    package func check(_ options: HTTPWorkerOptions) throws {
        try check(options.transferOptions)
        if options.bytesPerSecond != nil, !HTTPTransport.limitsSpeed {
            throw refusal("bytesPerSecond", "a URL session has no limit of speed; leave it out on this platform")
        }
        if let signing = options.signing { try check(signing, beside: options) }
    }

    private func check(_ signing: RequestSigning, beside options: HTTPWorkerOptions) throws {
        guard !signing.key.isEmpty else { throw refusal("signing.key", "it is empty") }
        guard HeaderSyntax.isOneLine(signing.prefix) else {
            throw refusal("signing.prefix", "it has a line break or NUL")
        }
        try check(headers: [signing.headerName: ""], "signing.headerName")
        var taken = Set(options.headers.keys.map { $0.lowercased() })
        if options.authentication != nil || options.tokenRefresh != nil { taken.insert("authorization") }
        guard taken.insert(signing.headerName.lowercased()).inserted else {
            throw refusal("signing.headerName", "the header \"\(signing.headerName)\" is given already")
        }
        guard let name = signing.timestampHeaderName else { return }
        try check(headers: [name: ""], "signing.timestampHeaderName")
        guard taken.insert(name.lowercased()).inserted else {
            throw refusal("signing.timestampHeaderName", "the header \"\(name)\" is given already")
        }
    }

    /// Checks a number.
    package func check(_ value: Int, in range: ClosedRange<Int>, _ field: String) throws {
        guard !range.contains(value) else { return }
        throw refusal(field, "it is \(value), but must be from \(range.lowerBound) to \(range.upperBound)")
    }

    /// Checks the most bytes of a response that are taken.
    func check(responseLimit bytes: Int64?, _ field: String = "maxResponseBytes") throws {
        guard let bytes, bytes < 0 else { return }
        throw refusal(field, "it is \(bytes), but must be 0 or more bytes")
    }

    /// Checks what requests with a body of their own have in common. Returns the method in capitals.
    ///
    /// - Parameter body: its field, and whether there is one.
    func method(
        _ method: String, allowed: [String], to url: String, body: (field: String, isGiven: Bool),
        _ response: ResponseChoice, _ options: HTTPWorkerOptions
    ) throws -> String {
        try check(url: url, "url")
        let method = try self.method(method, allowed: allowed)
        if method == "GET", body.isGiven {
            throw refusal(body.field, "a GET request has no body; use another method, or leave it out")
        }
        try response.check(by: self)
        try check(options)
        return method
    }

    /// Returns the method in capitals.
    private func method(_ method: String, allowed: [String]) throws -> String {
        let name = method.uppercased()
        guard allowed.contains(name) else {
            throw refusal(
                "method",
                "it is \"\(method.prefix(40))\", but must be one of \(allowed.joined(separator: ", ")), in any case")
        }
        return name
    }
}
