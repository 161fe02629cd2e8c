/// A URL as events and outputs show it: without user, password, query and fragment, which may hold secrets.
package enum RedactedURL {
    package static func text(_ url: String) -> String {
        var text = String(url.prefix { $0 != "?" && $0 != "#" })
        guard let scheme = text.firstRange(of: "://") else { return text }
        let authority = text[scheme.upperBound...].prefix { $0 != "/" && $0 != "\\" }
        if let end = authority.lastIndex(of: "@") { text.removeSubrange(authority.startIndex...end) }
        return text
    }
}
