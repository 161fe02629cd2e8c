/// Whether bytes that arrive in pieces are UTF-8 (RFC 3629). Pure.
struct UTF8Check: Sendable {
    /// How many bytes of the character are missing.
    private var missing = 0
    /// What the next byte may be.
    private var next: ClosedRange<UInt8> = 0x80...0xbf

    /// Whether the bytes can be the continuation of valid text.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < bytes.count {
            if missing == 0 {
                // Text is ASCII for the most part: eight bytes at a time.
                while index + 8 <= bytes.count,
                    bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
                {
                    index += 8
                }
                guard index < bytes.count else { break }
            }
            guard take(bytes[index]) else { return false }
            index += 1
        }
        return true
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        if missing > 0 {
            guard next.contains(byte) else { return false }
            missing -= 1
            next = 0x80...0xbf
            return true
        }
        switch byte {
        case 0x00...0x7f: return true
        case 0xc2...0xdf: missing = 1
        case 0xe0: (missing, next) = (2, 0xa0...0xbf)
        case 0xed: (missing, next) = (2, 0x80...0x9f)
        case 0xe1...0xef: missing = 2
        case 0xf0: (missing, next) = (3, 0x90...0xbf)
        case 0xf1...0xf3: missing = 3
        case 0xf4: (missing, next) = (3, 0x80...0x8f)
        default: return false
        }
        return true
    }

    /// Whether no character is cut.
    var isComplete: Bool { missing == 0 }
}
