/// Scans one quoted string of a JSON text, and checks its escapes and its UTF-8.
struct JSONStringScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// The opening quote at first, the byte after the closing one at the end; after an error, the byte that it
    /// concerns.
    private(set) var position: Int
    private(set) var hasEscapes = false

    init(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int) {
        self.bytes = bytes
        self.position = position
    }

    /// What is wrong with the string; `nil` when it is valid.
    mutating func pass() -> String? {
        position += 1
        while true {
            position = JSONPlainText.end(in: bytes, from: position)
            guard position < bytes.count else { return "unterminated string" }
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return nil
            case UInt8(ascii: "\\"):
                hasEscapes = true
                position += 1
                if let complaint = passEscape() { return complaint }
            case 0..<0x20: return "unescaped control character in a string"
            default: guard passSequence() else { return "invalid UTF-8 in a string" }
            }
        }
    }

    private mutating func passEscape() -> String? {
        guard position < bytes.count else { return "unterminated escape" }
        switch bytes[position] {
        case UInt8(ascii: "u"):
            position += 1
            guard let unit = hexadecimal() else { return "expected four hexadecimal digits" }
            return (0xd800..<0xe000).contains(unit) ? passLowSurrogate(after: unit) : nil
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 1
            return nil
        default: return "unknown escape"
        }
    }

    private mutating func passLowSurrogate(after high: UInt16) -> String? {
        guard high < 0xdc00, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
            bytes[position + 1] == UInt8(ascii: "u")
        else { return "half of a surrogate pair" }
        position += 2
        guard let low = hexadecimal() else { return "expected four hexadecimal digits" }
        return (0xdc00..<0xe000).contains(low) ? nil : "half of a surrogate pair"
    }

    private mutating func hexadecimal() -> UInt16? {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard position < bytes.count, let digit = JSONString.hexadecimalDigit(bytes[position]) else { return nil }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }

    /// Scans one character of two to four bytes; `false` if it is not in its shortest form, a surrogate, past the
    /// last code point, or cut short.
    private mutating func passSequence() -> Bool {
        let first = bytes[position]
        let count: Int
        var second: ClosedRange<UInt8> = 0x80...0xbf
        switch first {
        case 0xc2...0xdf: count = 2
        case 0xe0: (count, second) = (3, 0xa0...0xbf)
        case 0xed: (count, second) = (3, 0x80...0x9f)
        case 0xe1...0xef: count = 3
        case 0xf0: (count, second) = (4, 0x90...0xbf)
        case 0xf1...0xf3: count = 4
        case 0xf4: (count, second) = (4, 0x80...0x8f)
        default: return false
        }
        guard position + count <= bytes.count, second.contains(bytes[position + 1]) else { return false }
        for offset in 2..<max(count, 2) where bytes[position + offset] & 0xc0 != 0x80 { return false }
        position += count
        return true
    }
}
