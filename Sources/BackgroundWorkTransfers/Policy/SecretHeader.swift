/// Which of a request's headers prove who the client is, by their names: they go to the URL's own origin only.
package enum SecretHeader {
    /// Parts that occur in the names of secret headers.
    private static let parts = [
        "authori", "authent", "cookie", "token", "secret", "passw", "credential", "session", "signature", "apikey",
        "accesskey",
    ]
    /// Whole words between hyphens or underscores.
    private static let words: Set<Substring> = ["auth", "key", "jwt", "sig", "pin", "otp"]
    /// Names that match but are not secret.
    private static let harmless: Set<String> = ["idempotency-key"]

    package static func isSecret(_ name: String) -> Bool {
        let name = name.lowercased()
        if harmless.contains(name) { return false }
        return parts.contains { name.contains($0) }
            || name.split(whereSeparator: { $0 == "-" || $0 == "_" }).contains { words.contains($0) }
    }

    /// The same for a line in libcurl's form: `Name: value`, or `Name;` for an empty one.
    ///
    /// - Parameter others: names in lower case that count as well.
    package static func isSecret(line: String, or others: Set<String> = []) -> Bool {
        let name = String(line.prefix { $0 != ":" && $0 != ";" })
        return isSecret(name) || others.contains(name.lowercased())
    }
}

extension TransferOptions {
    /// Without the client's credentials: for another origin than the one that the client named.
    package var withoutCredentials: TransferOptions {
        var options = self
        options.authentication = nil
        options.headers = headers.filter { !SecretHeader.isSecret($0.key) }
        options.tls.clientCertificatePath = nil
        options.tls.clientKeyPath = nil
        options.tls.clientKeyPassword = nil
        return options
    }
}
