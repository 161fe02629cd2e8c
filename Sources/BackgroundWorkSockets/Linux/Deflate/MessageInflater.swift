import CBackgroundWorkZlib

/// Decompresses the messages of a peer (RFC 7692, section 7.2.2). On the network's thread.
final class MessageInflater {
    private static let outputBytes = 16 << 10
    private let inflater: OpaquePointer
    private let keepsContext: Bool
    private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: outputBytes, alignment: 16)
    /// The last block of a message was a final one, after which another stream begins.
    private var isEnded = false

    /// `nil` when there is no memory.
    init?(_ parameters: DeflateParameters) {
        var reason: UnsafePointer<CChar>?
        // zlib reads a window of 256 bytes only with one of 512.
        guard let inflater = bgw_inflater_begin_raw(Int32(max(parameters.serverWindowBits, 9)), &reason) else {
            output.deallocate()
            return nil
        }
        self.inflater = inflater
        keepsContext = parameters.keepsServerContext
    }

    deinit {
        bgw_inflater_free(inflater)
        output.deallocate()
    }

    /// Passes on what the bytes become, in pieces of at most 16 KiB.
    func inflate(
        _ bytes: UnsafeRawBufferPointer, take: (UnsafeRawBufferPointer) throws(FrameFault) -> Void
    ) throws(FrameFault) {
        var used = 0
        while true {
            if isEnded {
                // What follows a final block is another one (RFC 7692, section 7.2.3.4).
                guard used < bytes.count, bgw_inflater_reset(inflater) == 0 else { return }
                isEnded = false
            }
            var (consumed, produced) = (bytes.count - used, output.count)
            let answer = bgw_inflater_run(
                inflater, bytes.baseAddress.map { $0.assumingMemoryBound(to: UInt8.self) + used }, &consumed,
                output.baseAddress?.assumingMemoryBound(to: UInt8.self), &produced)
            if answer < 0 { throw .invalidData("a compressed message is damaged") }
            used += consumed
            if produced > 0 { try take(UnsafeRawBufferPointer(rebasing: output[..<produced])) }
            isEnded = answer == 1
            if !isEnded, used == bytes.count, produced < output.count { return }
            if consumed == 0, produced == 0, !isEnded { return }
        }
    }

    /// To be called after each message.
    func endMessage() throws(FrameFault) {
        if keepsContext, !isEnded { return }
        isEnded = false
        guard bgw_inflater_reset(inflater) == 0 else { throw .invalidData("a compressed message is damaged") }
    }
}
