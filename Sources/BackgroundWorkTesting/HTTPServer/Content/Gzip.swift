/// The gzip format (RFC 1952) with stored, that is uncompressed, blocks: every decoder accepts it, and zlib is not
/// needed.
enum Gzip {
    private static let blockBytes = 65_535

    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        // Magic, deflate, no flags, no time, no extra flags, an unknown system.
        var encoded: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
        encoded.reserveCapacity(bytes.count + bytes.count / blockBytes * 5 + 23)
        var start = 0
        repeat {
            let end = min(bytes.count, start + blockBytes)
            let length = UInt16(end - start)
            encoded.append(end == bytes.count ? 1 : 0)
            encoded += littleEndian(UInt32(length), bytes: 2) + littleEndian(UInt32(~length), bytes: 2)
            encoded += bytes[start..<end]
            start = end
        } while start < bytes.count
        encoded += littleEndian(checksum(bytes), bytes: 4)
        return encoded + littleEndian(UInt32(truncatingIfNeeded: bytes.count), bytes: 4)
    }

    private static func littleEndian(_ number: UInt32, bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: number >> UInt32($0 * 8)) }
    }

    /// The CRC-32 that gzip uses.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ ($0 >> 8) }
    }

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? 0xedb8_8320 ^ (value >> 1) : value >> 1 }
    }
}
