/// A transfer's URL as messages and logs show it, and the host whose slots it takes.
package struct TransferURL: Sendable, Hashable {
    /// In lower case; empty if there is none.
    package let scheme: String
    /// Host and port: transfers to the same one share its slots.
    package let host: String
    /// The request's method, for messages.
    package var method: String
    /// For messages and logs: without user, password and fragment, the query replaced by `…`.
    package let redacted: String

    package init(_ text: String, method: String = "GET") {
        let parts = URLParts(text)
        scheme = parts.scheme
        // Of one that is not clear, a part may be a password.
        host = String(parts.hostAndPort.split(separator: "@", omittingEmptySubsequences: false).last ?? "").printable
        self.method = method
        redacted = ShownURL.text(text, parts) + (parts.hasQuery ? "?…" : "")
    }

    /// Method and URL as messages name them.
    package var label: String { "\(method) \(redacted)" }

    /// The same address with another method.
    package func with(method: String) -> TransferURL {
        var changed = self
        changed.method = method
        return changed
    }
}
