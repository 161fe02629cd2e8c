/// The characters that stand in a JSON string as themselves and are one byte each.
enum JSONPlainText {
    /// Where a stretch of them ends: at a quote, a backslash, a control character, a byte with its high bit set, or the
    /// end of the text. Looks at eight bytes at a time.
    static func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var position = start
        while position + 8 <= bytes.count {
            let word = UInt64(
                littleEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: position, as: UInt64.self))
            let quote = word ^ (ones &* 0x22)
            let backslash = word ^ (ones &* 0x5c)
            // A borrow can mark a byte in error only above one that is marked rightly, and the lowest is what counts.
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
