#if os(Linux)
import Synchronization

/// Memory for a piece of a file, used again and again: fresh memory costs more than reading into it. Filled on one thread
/// and emptied on another, one after the other.
final class PieceBuffer: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    /// `body` fills the first `count` bytes.
    func fill<Failure: Error>(
        _ count: Int, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        try bytes.withLock { bytes throws(Failure) in
            if bytes.count < count { bytes = [UInt8](repeating: 0, count: count) }
            let result = bytes.withUnsafeMutableBytes { space -> Result<Void, Failure> in
                let piece = UnsafeMutableRawBufferPointer(rebasing: space[..<count])
                do throws(Failure) {
                    return .success(try body(piece))
                } catch {
                    return .failure(error)
                }
            }
            try result.get()
        }
    }

    func copy(_ range: Range<Int>, into space: UnsafeMutableRawBufferPointer) {
        bytes.withLock { bytes in bytes[range].withUnsafeBytes { space.copyMemory(from: $0) } }
    }
}
#endif
