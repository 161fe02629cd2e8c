/// A transfer's URL as messages and logs show it, and the host whose slots it takes.
package struct TransferURL: Sendable, Hashable {
    /// Longer ones are cut, in bytes.
    private static let longestShown = 1000
    private static let longestMethod = 40

    /// In lower case; empty if there is none.
    package let scheme: String
    /// Host and port: transfers to the same one share its slots.
    package let host: String
    /// The request's method, for messages: without control characters, and cut if it is long.
    package private(set) var method: String
    /// For messages and logs: without user, password and fragment, the query replaced by `…`, and cut if it is long.
    package let redacted: String

    package init(_ text: String, method: String = "GET") {
        let parts = URLParts(text)
        scheme = parts.scheme
        // Of one that is not clear, a part may be a password.
        host = String(parts.hostAndPort.split(separator: "@", omittingEmptySubsequences: false).last ?? "").printable
        self.method = Self.shown(method)
        let address = ShownURL.text(text, parts)
        let isLong = address.utf8.count > Self.longestShown
        redacted =
            isLong
            ? address.beginning(bytes: Self.longestShown) + "…" : address + (parts.hasQuery ? "?…" : "")
    }

    private static func shown(_ method: String) -> String {
        method.utf8.count > longestMethod
            ? method.beginning(bytes: longestMethod).printable + "…" : method.printable
    }

    /// Method and URL as messages name them.
    package var label: String { "\(method) \(redacted)" }

    /// The same address with another method.
    package func with(method: String) -> TransferURL {
        var changed = self
        changed.method = Self.shown(method)
        return changed
    }
}

extension String {
    /// Cut between two characters.
    fileprivate func beginning(bytes: Int) -> String {
        var end = utf8.index(startIndex, offsetBy: bytes, limitedBy: endIndex) ?? endIndex
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
