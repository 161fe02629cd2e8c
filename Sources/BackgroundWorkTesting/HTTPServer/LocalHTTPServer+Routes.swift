/// Receiving uploads.
extension LocalHTTPServer {
    /// Receives what is uploaded to a path by PUT or POST, and answers 200 unless a behaviour says otherwise.
    ///
    /// - Parameter limit: how many bytes of each upload are kept for ``uploads(at:)``; the rest is only counted and
    ///   digested.
    public func acceptUploads(at path: String, keeping limit: Int = 64 << 20) {
        state.routes.serve(UploadShelf(keeping: limit), at: path)
    }

    /// The uploads to a path, in the order of their ends; interrupted ones as well. An upload is listed before its
    /// answer is sent.
    public func uploads(at path: String) -> [ReceivedUpload] { state.routes.uploads(at: path)?.uploads ?? [] }

    /// Serves the tus protocol, version 1.0, with the extensions `creation` and `termination`.
    ///
    /// Behaviours for an upload are those of its own path, or those of the endpoint if it has none.
    ///
    /// - Parameters:
    ///   - path: where uploads are created. Their own paths are this one with `/1`, `/2` and so on.
    ///   - maximumBytes: the largest `Upload-Length`. Uploads are kept in memory.
    public func acceptTus(at path: String, maximumBytes: Int64 = 256 << 20) {
        state.routes.serve(TusEndpoint(path: path, maximumBytes: maximumBytes), at: path)
    }

    /// The uploads that were created at a tus endpoint, with what arrived of them so far.
    public func tusUploads(at path: String) -> [TusUpload] {
        guard let (endpoint, upload) = state.routes.tus(at: path), upload == nil else { return [] }
        return endpoint.uploads
    }

    /// Answers requests for an upload with 410 or 404, as if it no longer existed.
    public func expireTusUpload(at uploadPath: String, status: Int = 410) {
        guard let (endpoint, upload) = state.routes.tus(at: uploadPath), let upload else { return }
        endpoint.remove(upload, status: status)
    }
}

/// Requiring credentials.
extension LocalHTTPServer {
    /// Answers requests for a path with 401 unless they have these credentials; `nil` requires none.
    ///
    /// It can be changed while requests arrive. The credentials of a tus endpoint are required for its uploads as
    /// well.
    public func require(_ authentication: Authentication?, for path: String) {
        state.routes.protect(path, authentication.map(CredentialCheck.init))
    }

    /// Issues tokens at a path, whatever the method.
    public func issueTokens(_ issuer: TokenIssuer, at path: String) {
        state.routes.serve(TokenDesk(issuer), at: path)
    }

    /// How many tokens were issued at a path.
    public func tokenCalls(at path: String) -> Int { state.routes.tokens(at: path)?.calls ?? 0 }
}
