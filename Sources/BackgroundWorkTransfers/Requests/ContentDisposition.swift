/// The file name in a `Content-Disposition` header (RFC 6266). Lenient where servers are careless, as browsers are.
struct ContentDisposition: Sendable {
    /// As sent by the server; not safe to use unchanged. `nil` if there is none.
    let fileName: String?

    init(_ value: String) {
        var scanner = Scanner(rest: value.unicodeScalars[...])
        scanner.skip { $0 != ";" }
        var plain: String?
        var extended: String?
        while scanner.take(";") {
            let name = String(scanner.token { $0 != "=" && $0 != ";" }).lowercased()
            guard scanner.take("=") else { continue }
            let value = scanner.value()
            // Of several of one kind the first counts.
            if name == "filename" { plain = plain ?? value }
            if name == "filename*" { extended = extended ?? Self.extended(value) }
        }
        // Senders that know of `filename*` write `filename` for those that do not.
        fileName = extended ?? plain
    }

    /// `charset'language'percent-encoded` (RFC 8187, before it RFC 5987); `nil` where it is not that, so that the plain
    /// one counts.
    private static func extended(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = PercentEncoding.decoded(String(parts[2])) else { return nil }
        switch parts[0].lowercased() {
        case "utf-8": return String(validating: bytes, as: UTF8.self)
        case "iso-8859-1": return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        default: return nil
        }
    }

    private struct Scanner {
        var rest: Substring.UnicodeScalarView

        mutating func skip(while condition: (Unicode.Scalar) -> Bool) { rest = rest.drop(while: condition) }

        mutating func take(_ scalar: Unicode.Scalar) -> Bool {
            skip { $0 == " " || $0 == "\t" }
            guard rest.first == scalar else { return false }
            rest.removeFirst()
            return true
        }

        mutating func token(while condition: (Unicode.Scalar) -> Bool) -> Substring {
            skip { $0 == " " || $0 == "\t" }
            let token = rest.prefix(while: condition)
            rest = rest[token.endIndex...]
            var text = Substring(token)
            while let last = text.last, last == " " || last == "\t" { text.removeLast() }
            return text
        }

        /// A quoted string without its quotes and escapes, or what goes up to the next semicolon.
        mutating func value() -> String {
            guard take("\"") else { return String(token { $0 != ";" }) }
            var text = String.UnicodeScalarView()
            while let scalar = rest.popFirst(), scalar != "\"" {
                // Only quotes and backslashes are escaped; some servers write Windows paths as they are.
                if scalar == "\\", let next = rest.first, next == "\"" || next == "\\" {
                    text.append(rest.removeFirst())
                } else {
                    text.append(scalar)
                }
            }
            skip { $0 != ";" }
            return String(text)
        }
    }
}

/// `%` and two hexadecimal digits for a byte (RFC 3986, section 2.1).
enum PercentEncoding {
    /// The bytes that a text stands for; `nil` if a `%` has no two digits behind it.
    static func decoded(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
