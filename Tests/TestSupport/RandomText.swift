/// Texts that are awkward in JSON.
package enum RandomText {
    private static let pieces =
        [
            "a", "Z", "0", "/", "\"", "\\", "\\u0041", "\u{7f}", "é", "e\u{301}", "\u{212a}", "\u{2028}", "\u{2029}",
            "🚚", "👩‍👩‍👧", "\u{10ffff}", "\u{feff}", "{", "}", ":", ",", "null", " ", "\r\n",
        ] + (0..<0x20).map { String(Unicode.Scalar(UInt8($0))) }

    package static func any(using generator: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: ""
        case 1: String(repeating: "long and plain, ", count: Int.random(in: 1...40, using: &generator))
        case 2: "https://example.com/a/b?c=d&e=f"
        default:
            (0..<Int.random(in: 1...12, using: &generator))
                .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
        }
    }

    package static func maybe(using generator: inout SeededGenerator) -> String? {
        Bool.random(using: &generator) ? any(using: &generator) : nil
    }

    package static func headers(using generator: inout SeededGenerator) -> [String: String] {
        var headers: [String: String] = [:]
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            headers[any(using: &generator)] = any(using: &generator)
        }
        return headers
    }
}
