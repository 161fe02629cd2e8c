import BackgroundWorkTransfers

extension URLAuthenticationChallenge {
    /// Whether a server asks for a password, and has refused none yet.
    var asksForPassword: Bool {
        previousFailureCount == 0 && !protectionSpace.isProxy()
            && [NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest]
                .contains(protectionSpace.authenticationMethod)
    }
}

extension TransferSpecification {
    /// What answers a server that asks for a password; `nil`: nothing does. Never for an origin that a redirect leads to.
    package func credential(for challenge: URLAuthenticationChallenge) -> URLCredential? {
        guard challenge.asksForPassword, RequestOrigin(url) == RequestOrigin(challenge.protectionSpace) else {
            return nil
        }
        switch options.authentication {
        case .basic(let user, let password), .digest(let user, let password):
            return URLCredential(user: user, password: password, persistence: .none)
        case .bearer, nil: return nil
        }
    }
}

extension RequestOrigin {
    package init(_ space: URLProtectionSpace) {
        let host = space.host.contains(":") ? "[\(space.host)]" : space.host
        self.init("\(space.protocol ?? "https")://\(host):\(space.port)")
    }
}
