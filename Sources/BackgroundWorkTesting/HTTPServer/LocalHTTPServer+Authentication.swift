/// Asking for credentials.
extension LocalHTTPServer {
    /// Answers requests for a path with 401 unless they have these credentials; `nil` asks for none.
    ///
    /// It can be changed while requests come in. What protects a tus endpoint protects its uploads.
    public func require(_ authentication: Authentication?, for path: String) {
        state.routes.protect(path, authentication.map(CredentialCheck.init))
    }

    /// Gives out tokens at a path, whatever the method.
    public func issueTokens(_ issuer: TokenIssuer, at path: String) {
        state.routes.serve(TokenDesk(issuer), at: path)
    }

    /// How many tokens were given out at a path.
    public func tokenCalls(at path: String) -> Int { state.routes.tokens(at: path)?.calls ?? 0 }
}
