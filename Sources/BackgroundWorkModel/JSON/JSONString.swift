/// The content between the quotes of a JSON string, and the text it encodes.
package enum JSONString {
    /// The text of a string that ``JSONScanner`` has scanned.
    ///
    /// - Parameter content: the bytes between the quotes.
    package static func text(of content: UnsafeBufferPointer<UInt8>) -> String {
        let plain = JSONPlainText.end(in: content, from: 0)
        if plain == content.count || !content[plain...].contains(UInt8(ascii: "\\")) {
            return String(decoding: content, as: UTF8.self)
        }
        // No escape is shorter than the character that it encodes.
        return String(unsafeUninitializedCapacity: content.count) { text in
            var (position, length) = (0, 0)
            while position < content.count {
                let byte = content[position]
                if byte == UInt8(ascii: "\\"), position + 1 < content.count {
                    let escape = content[position + 1]
                    position += 2
                    if escape == UInt8(ascii: "u") {
                        for unit in character(in: content, at: &position) {
                            text[length] = unit
                            length += 1
                        }
                    } else {
                        text[length] = unescaped(escape)
                        length += 1
                    }
                } else {
                    text[length] = byte
                    length += 1
                    position += 1
                }
            }
            return length
        }
    }

    /// The character encoded by the four digits at the position, or together with those of a second escape.
    private static func character(
        in content: UnsafeBufferPointer<UInt8>, at position: inout Int
    ) -> UTF8.EncodedScalar {
        var code = unit(in: content, at: &position)
        if (0xd800..<0xe000).contains(code) {
            position += 2
            code = 0x10000 + (code & 0x3ff) << 10 + (unit(in: content, at: &position) & 0x3ff)
        }
        return Unicode.Scalar(code).flatMap(UTF8.encode) ?? UTF8.encodedReplacementCharacter
    }

    private static func unit(in content: UnsafeBufferPointer<UInt8>, at position: inout Int) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 where position < content.count {
            unit = unit << 4 | UInt32(hexadecimalDigit(content[position]) ?? 0)
            position += 1
        }
        return unit
    }

    /// Appends a text as the content of a JSON string, without the quotes.
    ///
    /// Only what must be escaped is, each character in one way, so equal texts have equal bytes and different texts
    /// differ.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        let isAppended: Void? = text.utf8.withContiguousStorageIfAvailable { append($0, to: &bytes) }
        if isAppended == nil { Array(text.utf8).withUnsafeBufferPointer { append($0, to: &bytes) } }
    }

    private static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        var start = 0
        while start < text.count {
            var end = start
            while true {
                end = JSONPlainText.end(in: text, from: end)
                guard end < text.count, text[end] >= 0x80 else { break }
                end += 1
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<end]))
            if end < text.count { appendEscape(of: text[end], to: &bytes) }
            start = end + 1
        }
    }

    private static func appendEscape(of byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        if byte >= 0x20 {
            bytes.append(byte)
        } else if let letter = letter(of: byte) {
            bytes.append(letter)
        } else {
            bytes += "u00".utf8
            bytes += [hexadecimal(byte >> 4), hexadecimal(byte & 0x0f)]
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

    /// The escape letter of a control character that has one.
    private static func letter(of control: UInt8) -> UInt8? {
        switch control {
        case 0x08: UInt8(ascii: "b")
        case 0x09: UInt8(ascii: "t")
        case 0x0a: UInt8(ascii: "n")
        case 0x0c: UInt8(ascii: "f")
        case 0x0d: UInt8(ascii: "r")
        default: nil
        }
    }

    private static func unescaped(_ escape: UInt8) -> UInt8 {
        switch escape {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "n"): 0x0a
        case UInt8(ascii: "f"): 0x0c
        case UInt8(ascii: "r"): 0x0d
        default: escape
        }
    }
}

/// The characters that are not escaped in a JSON string and are one byte each.
enum JSONPlainText {
    /// The end of a sequence of them: at a quote, a backslash, a control character, a byte with its high bit set, or
    /// the end of the text. Checks eight bytes at a time.
    static func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var position = start
        while position + 8 <= bytes.count {
            let word = UInt64(
                littleEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: position, as: UInt64.self))
            let quote = word ^ (ones &* 0x22)
            let backslash = word ^ (ones &* 0x5c)
            // A borrow can wrongly mark a byte only above one that is marked correctly, and the lowest mark is what
            // counts.
            let marks =
                (word | (word &- ones &* 0x20) | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash)
                & (ones &* 0x80)
            guard marks == 0 else { return position + marks.trailingZeroBitCount / 8 }
            position += 8
        }
        while position < bytes.count, isPlain(bytes[position]) { position += 1 }
        return position
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20..<0x80).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
}
