import BackgroundWorkFoundation

/// The directives of a `Cache-Control` header that a private cache follows (RFC 9111, section 5.2).
///
/// What is invalid or contradicts itself is read in the stricter way.
struct CacheControl: Sendable, Hashable {
    /// With or without a list of fields: both forbid use without validation here.
    private(set) var isNoCache = false
    private(set) var isNoStore = false
    private(set) var mustRevalidate = false
    /// In seconds; the smallest if there are several, zero if one is invalid.
    private(set) var maxAge: Int64?

    init(_ headers: HTTPHeaders) {
        for value in headers.values(of: "Cache-Control") {
            for (name, argument) in Self.directives(in: value) { take(name, argument) }
        }
    }

    private mutating func take(_ name: String, _ argument: String?) {
        switch name {
        case "no-cache": isNoCache = true
        case "no-store": isNoStore = true
        case "must-revalidate": mustRevalidate = true
        case "max-age": maxAge = min(maxAge ?? .max, argument.flatMap(Self.seconds) ?? 0)
        default: break
        }
    }

    /// A number of seconds (RFC 9111, section 1.2.2), at most 2^31; `nil` for any other text.
    static func seconds(_ text: String) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return min(Int64(text) ?? .max, 1 << 31)
    }

    /// Names in lower case, with their arguments; a comma in a quoted argument separates nothing.
    private static func directives(in text: String) -> [(name: String, argument: String?)] {
        var directives: [(String, String?)] = []
        var (name, argument) = ([UInt8](), [UInt8]?.none)
        var (isQuoted, isEscaped) = (false, false)
        func end() {
            let word = trimmed(name).lowercased()
            if !word.isEmpty { directives.append((word, argument.map(trimmed))) }
            (name, argument) = ([], nil)
        }
        for byte in text.utf8 {
            switch byte {
            case _ where isEscaped:
                isEscaped = false
                argument?.append(byte)
            case UInt8(ascii: "\\") where isQuoted: isEscaped = true
            case UInt8(ascii: "\"") where argument != nil: isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted: end()
            case UInt8(ascii: "=") where argument == nil: argument = []
            case _ where argument != nil: argument?.append(byte)
            default: name.append(byte)
            }
        }
        end()
        return directives
    }

    private static func trimmed(_ bytes: [UInt8]) -> String {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        let start = bytes.drop(while: isBlank)
        return String(decoding: start.reversed().drop(while: isBlank).reversed(), as: UTF8.self)
    }
}
