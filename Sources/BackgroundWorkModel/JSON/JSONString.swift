/// What stands between the quotes of a JSON string, and the text it means.
package enum JSONString {
    /// The text of a string that ``JSONScanner`` has passed over.
    ///
    /// - Parameter content: the bytes between the quotes.
    package static func text(of content: UnsafeBufferPointer<UInt8>) -> String {
        guard content.contains(UInt8(ascii: "\\")) else { return String(decoding: content, as: UTF8.self) }
        var units: [UInt16] = []
        var text = ""
        var position = 0
        func flush() {
            text += String(decoding: units, as: UTF16.self)
            units = []
        }
        while position < content.count {
            guard content[position] == UInt8(ascii: "\\"), position + 1 < content.count else {
                flush()
                let start = position
                while position < content.count, content[position] != UInt8(ascii: "\\") { position += 1 }
                guard position > start else { break }
                text += String(decoding: content[start..<position], as: UTF8.self)
                continue
            }
            let escape = content[position + 1]
            position += 2
            if escape == UInt8(ascii: "u"), position + 4 <= content.count {
                // Two of them in a row may be one character.
                units.append(
                    content[position..<position + 4].reduce(0) { $0 << 4 | UInt16(hexadecimalDigit($1) ?? 0) })
                position += 4
            } else {
                units.append(UInt16(unescaped[escape] ?? escape))
            }
        }
        flush()
        return text
    }

    /// Appends a text as the content of a JSON string, without the quotes.
    ///
    /// Only what must be escaped is, each in one way, so equal texts have equal bytes and others have not.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0..<0x20:
                if let letter = letters[byte] {
                    bytes += [UInt8(ascii: "\\"), letter]
                } else {
                    bytes += "\\u00".utf8
                    bytes += [hexadecimal(byte >> 4), hexadecimal(byte & 0x0f)]
                }
            default: bytes.append(byte)
            }
        }
    }

    /// A text as the content of a JSON string, without the quotes.
    package static func content(of text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        append(text, to: &bytes)
        return bytes
    }

    static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
    }

    /// The control characters that have a letter of their own.
    private static let letters: [UInt8: UInt8] = [
        0x08: UInt8(ascii: "b"), 0x09: UInt8(ascii: "t"), 0x0a: UInt8(ascii: "n"), 0x0c: UInt8(ascii: "f"),
        0x0d: UInt8(ascii: "r"),
    ]
    private static let unescaped = Dictionary(uniqueKeysWithValues: letters.map { ($1, $0) })
}
