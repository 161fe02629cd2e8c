/// Writes the frames of a client, which are masked (RFC 6455, section 5.3). Pure.
enum FrameWriter {
    /// Appends a frame to `output`.
    ///
    /// - Parameter mask: four bytes that the peer cannot guess.
    static func append(
        _ opcode: FrameOpcode, _ payload: UnsafeRawBufferPointer, isFinal: Bool = true, isCompressed: Bool = false,
        mask: UInt32, to output: inout [UInt8]
    ) {
        output.append((isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | opcode.rawValue)
        switch payload.count {
        case ...125: output.append(0x80 | UInt8(payload.count))
        case ...0xffff:
            output.append(0x80 | 126)
            withUnsafeBytes(of: UInt16(payload.count).bigEndian) { output.append(contentsOf: $0) }
        default:
            output.append(0x80 | 127)
            withUnsafeBytes(of: UInt64(payload.count).bigEndian) { output.append(contentsOf: $0) }
        }
        withUnsafeBytes(of: mask.bigEndian) { output.append(contentsOf: $0) }
        let start = output.count
        output.append(contentsOf: payload)
        output.withUnsafeMutableBytes {
            apply(mask, to: UnsafeMutableRawBufferPointer(rebasing: $0[start...]))
        }
    }

    /// Masks, or removes a mask.
    static func apply(_ mask: UInt32, to bytes: UnsafeMutableRawBufferPointer) {
        let word = UInt64(mask.bigEndian) << 32 | UInt64(mask.bigEndian)
        var index = 0
        while index + 8 <= bytes.count {
            let masked = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ word
            bytes.storeBytes(of: masked, toByteOffset: index, as: UInt64.self)
            index += 8
        }
        while index < bytes.count {
            bytes[index] ^= UInt8(truncatingIfNeeded: mask >> (24 - 8 * (index & 3)))
            index += 1
        }
    }

    /// The payload of a close frame.
    static func closePayload(_ code: WebSocketCloseCode, _ reason: String) -> [UInt8] {
        [UInt8(truncatingIfNeeded: code.rawValue >> 8), UInt8(truncatingIfNeeded: code.rawValue)] + Array(reason.utf8)
    }
}
