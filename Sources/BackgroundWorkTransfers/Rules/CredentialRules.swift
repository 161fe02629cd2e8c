import BackgroundWorkFoundation

// The rules for credentials that transfers and requests in process share, by the text alone.

extension HTTPAuthentication {
    /// Why it cannot be sent; `nil` if it can.
    package var complaint: String? {
        switch self {
        case .basic(let user, let password), .digest(let user, let password):
            guard HeaderSyntax.isOneLine(user), HeaderSyntax.isOneLine(password) else {
                return "the user or password has a line break or NUL"
            }
            // The first colon ends the user's name (RFC 7617, section 2).
            return user.contains(":") ? "the user's name has a colon" : nil
        case .bearer(let token):
            return token.isEmpty || !HeaderSyntax.isOneLine(token)
                ? "the token is empty, or has a line break or NUL" : nil
        }
    }
}

extension TLSOptions {
    /// Which of its fields cannot be used, and why; `nil` if all can. The files are not looked at.
    package var complaint: (field: String, reason: String)? {
        if clientKeyPath != nil || clientKeyPassword != nil, clientCertificatePath == nil {
            return ("tls.clientCertificatePath", "it is missing, but there is a key for it")
        }
        if let password = clientKeyPassword, password.utf8.contains(0) {
            return ("tls.clientKeyPassword", "it contains a NUL character")
        }
        guard let key = pinnedPublicKeys.first(where: { Data(base64Encoded: $0)?.count != 32 }) else { return nil }
        return (
            "tls.pinnedPublicKeys",
            "\"\(String(key.prefix(80)).printable)\" is not the SHA-256 of a key, 32 bytes in base64"
        )
    }
}
