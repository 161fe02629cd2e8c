/// Where a redirect leads, judged without a URL parser of our own: libcurl follows it, and what it makes of an odd
/// address must not matter.
struct RedirectTarget: Sendable, Hashable {
    private let location: String

    init(_ location: String) { self.location = location }

    /// `nil` for a header line other than a Location.
    init?(headerLine line: String) {
        guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == "location" else { return nil }
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0.isNewline }
        var value = line[line.index(after: colon)...].drop(while: isSpace)
        while let last = value.last, isSpace(last) { value.removeLast() }
        location = String(value)
    }

    /// Whether it leads, beyond doubt, to the origin of `own`, when it comes from `base`. Doubt is a no.
    func isSurely(at own: String, from base: String) -> Bool {
        let own = RequestOrigin(own)
        guard !location.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7f || $0 == UInt8(ascii: "\\") }) else {
            return false
        }
        if location.hasPrefix("//") { return false }
        if "/?#".contains(location.prefix(1)) { return RequestOrigin(base) == own }
        // Without a colon before the path it can only be a path.
        let beginning = location.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if !beginning.contains(":") { return RequestOrigin(base) == own }
        guard beginning.lowercased() == own.scheme + ":" else { return false }
        let rest = location.dropFirst(beginning.count)
        guard rest.hasPrefix("//") else { return false }
        let authority = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard authority.utf8.allSatisfy(Self.isPlain) else { return false }
        return RequestOrigin(location) == own
    }

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
