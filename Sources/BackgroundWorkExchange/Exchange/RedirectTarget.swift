import BackgroundWorkTransfers

/// Where a redirect leads, judged without a URL parser of our own: libcurl follows it, and the decision must not depend
/// on how it reads an unusual address.
package struct RedirectTarget: Sendable, Hashable {
    private let location: String

    package init(_ location: String) { self.location = location }

    /// `nil` for a header line other than a Location.
    package init?(headerLine line: String) {
        guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == "location" else { return nil }
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0.isNewline }
        var value = line[line.index(after: colon)...].drop(while: isSpace)
        while let last = value.last, isSpace(last) { value.removeLast() }
        location = String(value)
    }

    /// Whether it certainly leads to the origin `own` when it is received from `base`. False in case of doubt.
    package func isSurely(at own: String, from base: String) -> Bool {
        let own = RequestOrigin(own)
        // By bytes, as libcurl reads it: a combining accent would make another character of a slash.
        let bytes = location.utf8
        guard !bytes.contains(where: { $0 <= 0x20 || $0 == 0x7f || $0 == UInt8(ascii: "\\") }) else { return false }
        if bytes.starts(with: "//".utf8) { return false }
        // Without a colon before the path it can only be a path.
        let beginning = bytes.prefix(while: Self.isBeforePath)
        if !beginning.contains(UInt8(ascii: ":")) { return RequestOrigin(base) == own }
        guard Substring(beginning).lowercased() == own.scheme + ":" else { return false }
        let rest = bytes[beginning.endIndex...]
        guard rest.starts(with: "//".utf8) else { return false }
        guard rest.dropFirst(2).prefix(while: Self.isBeforePath).allSatisfy(Self.isPlain) else { return false }
        return RequestOrigin(location) == own
    }

    private static func isBeforePath(_ byte: UInt8) -> Bool { !"/?#".utf8.contains(byte) }

    /// Of a name, a number or a port; in particular no user info.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: "-._:[]".utf8.contains(byte)
        }
    }
}
