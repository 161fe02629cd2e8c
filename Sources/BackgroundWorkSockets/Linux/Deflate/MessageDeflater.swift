import CBackgroundWorkZlib

/// Compresses messages (RFC 7692, section 7.2.1). On the network's thread.
final class MessageDeflater {
    private static let outputBytes = 16 << 10
    /// zlib counts in 32 bits.
    private static let inputBytes = 1 << 30
    private let deflater: OpaquePointer
    private let keepsContext: Bool

    /// `nil` when there is no memory, or the window is smaller than zlib's smallest one.
    init?(_ parameters: DeflateParameters) {
        guard let deflater = bgw_deflater_begin(-1, Int32(parameters.ownWindowBits)) else { return nil }
        self.deflater = deflater
        keepsContext = parameters.keepsOwnContext
    }

    deinit { bgw_deflater_free(deflater) }

    /// The message compressed, without the four bytes at its end that all have.
    func deflate(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        // The rule for an empty message (section 7.2.3.6).
        if bytes.isEmpty { return [0x00] }
        var result: [UInt8] = []
        var used = 0
        while true {
            var consumed = min(bytes.count - used, Self.inputBytes)
            var produced = 0
            let piece = [UInt8](unsafeUninitializedCapacity: Self.outputBytes) { space, count in
                produced = space.count
                _ = bgw_deflater_run(
                    deflater, bytes.baseAddress.map { $0.assumingMemoryBound(to: UInt8.self) + used }, &consumed,
                    space.baseAddress, &produced, BGW_FLUSH_PIECE)
                count = produced
            }
            used += consumed
            result += piece
            if used == bytes.count, produced < Self.outputBytes { break }
        }
        if !keepsContext { _ = bgw_deflater_reset(deflater) }
        if result.suffix(4) == [0x00, 0x00, 0xff, 0xff] { result.removeLast(4) }
        return result
    }
}
