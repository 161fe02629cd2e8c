import BackgroundWorkFoundation
import Synchronization

/// The bytes of a request's body, as a backend takes them: without waiting.
protocol BodySource: Sendable {
    /// In bytes; `nil` when it is not known.
    var length: Int64? { get }

    /// Begins to read. `arrived` is called when there is something to take after ``take(into:)`` had nothing.
    func begin(arrived: @escaping @Sendable () -> Void)

    /// Fills the space with the next bytes.
    func take(into space: UnsafeMutableRawBufferPointer) -> BodyPiece

    /// Goes back; false when that is not possible.
    func rewind(to offset: Int64) -> Bool

    /// It is not needed any more.
    func cancel()
}

/// What there is of a body.
enum BodyPiece: Sendable {
    /// The number of bytes; 0 at the end.
    case bytes(Int)
    /// None yet.
    case wait
    case failed(HTTPError)
}

/// A body in memory.
final class BytesSource: BodySource {
    let bytes: Data
    private let position = Mutex(0)

    init(_ bytes: Data) { self.bytes = bytes }

    var length: Int64? { Int64(bytes.count) }
    func begin(arrived: @escaping @Sendable () -> Void) {}

    func take(into space: UnsafeMutableRawBufferPointer) -> BodyPiece {
        position.withLock { position in
            let count = min(space.count, bytes.count - position)
            if count > 0 {
                bytes.withUnsafeBytes {
                    space.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[position..<position + count]))
                }
            }
            position += count
            return .bytes(count)
        }
    }

    func rewind(to offset: Int64) -> Bool {
        guard (0...Int64(bytes.count)).contains(offset) else { return false }
        position.withLock { $0 = Int(offset) }
        return true
    }

    func cancel() {}
}
