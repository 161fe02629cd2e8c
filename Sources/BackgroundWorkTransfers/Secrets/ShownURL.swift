/// A URL as messages, logs and stored outputs show it: scheme, host and path.
package enum ShownURL {
    /// Without user, password, query and fragment. Of a text that is not clearly a URL, what precedes its last `@` is
    /// left out as well: it may contain a password that was not percent-encoded.
    package static func text(_ url: String) -> String { text(url, URLParts(url)) }

    /// - Parameter parts: the URL's.
    static func text(_ url: String, _ parts: URLParts) -> String {
        if parts.isClear { return parts.redacted.printable }
        let bytes = url.utf8
        let user = isPath(url) ? nil : bytes.lastIndex(of: UInt8(ascii: "@"))
        let start = user.map(bytes.index(after:)) ?? bytes.startIndex
        let end = bytes[start...].firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.endIndex
        return String(url[start..<end]).printable
    }

    /// Whether ``text(_:)`` leaves something out.
    package static func isShortened(_ url: String) -> Bool { isShortened(url, URLParts(url)) }

    private static func isShortened(_ url: String, _ parts: URLParts) -> Bool {
        if parts.isClear { return parts.hasUser || url.utf8.contains { "?#".utf8.contains($0) } }
        return url.utf8.contains { (isPath(url) ? "?#" : "@?#").utf8.contains($0) }
    }

    /// Whether what ``text(_:)`` leaves out may be a secret. A query of short parameters whose names indicate none, such as
    /// `?id=5&format=png`, is none.
    package static func hasSecrets(_ url: String) -> Bool {
        let parts = URLParts(url)
        guard isShortened(url, parts) else { return false }
        guard parts.isClear, !parts.hasUser, !url.utf8.contains(UInt8(ascii: "#")),
            let mark = url.utf8.firstIndex(of: UInt8(ascii: "?"))
        else { return true }
        return !url[url.utf8.index(after: mark)...].split(separator: "&").allSatisfy(isPlainParameter)
    }

    /// Values that are longer may be signatures or tokens, whatever their names are.
    private static let longestPlainValue = 15

    private static func isPlainParameter(_ parameter: Substring) -> Bool {
        guard let mark = parameter.utf8.firstIndex(of: UInt8(ascii: "=")) else { return false }
        let (name, value) = (parameter[..<mark], parameter[parameter.utf8.index(after: mark)...])
        return value.utf8.count <= longestPlainValue && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != 0x25 }
            && !SecretHeader.isSecret(String(name))
    }

    /// Whether it is a URL without scheme and host.
    private static func isPath(_ url: String) -> Bool { url.hasPrefix("/") && !url.hasPrefix("//") }
}

extension URLParts {
    /// Whether every parser takes the same part of it for the user and the password.
    fileprivate var isClear: Bool {
        !scheme.isEmpty && !host.utf8.contains { "\\@".utf8.contains($0) }
            && port.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}
