import Synchronization

/// Reads a range of a file one or two pieces ahead, so that the network loop does not wait for the disk. Lives on the
/// network loop's thread; the file is read on another one.
final class ReadAhead {
    /// Reads one piece of the requested length into a buffer, and calls the closure, later or at once.
    typealias Reader = (
        _ range: Range<Int64>, _ isLast: Bool, _ buffer: PieceBuffer, @escaping (Result<Void, any Error>) -> Void
    ) -> Void

    /// Two of them are in memory: the current one and the next.
    static let pieceBytes = 256 << 10
    /// Used when many transfers run.
    static let smallPieceBytes = 64 << 10

    private struct Piece {
        var range: Range<Int64>
        var buffer: PieceBuffer
    }

    private let range: Range<Int64>
    private let pieceBytes: Int
    private let read: Reader
    /// Called when bytes that were requested but not available have arrived, or when reading them failed.
    private let arrived: () -> Void
    /// Contiguous; the first has bytes that were not returned yet.
    private var pieces: [Piece] = []
    private var spare: [PieceBuffer] = []
    /// Where the next piece to be read begins.
    private var next: Int64
    private var isReading = false
    private var isAwaited = false
    private var failure: (any Error)?
    /// Identifies reads that were started before a change of position and are obsolete.
    private var turn = 0

    init(
        _ range: Range<Int64>, pieceBytes: Int = pieceBytes, read: @escaping Reader, arrived: @escaping () -> Void
    ) {
        self.range = range
        self.pieceBytes = pieceBytes
        self.read = read
        self.arrived = arrived
        next = range.lowerBound
    }

    /// Copies the available bytes from `offset` on into `space`, at least one; `nil` when none is available yet. Throws
    /// the error of reading. `offset` is in the range.
    func take(into space: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int? {
        let isHere = (pieces.first?.range.lowerBound ?? next)...(pieces.last?.range.upperBound ?? next) ~= offset
        if !isHere { leave(for: offset) }
        while let first = pieces.first, first.range.upperBound <= offset { dropFirst() }
        readOn()
        guard let first = pieces.first else {
            if let failure { throw failure }
            isAwaited = true
            return nil
        }
        let done = Int(offset - first.range.lowerBound)
        let count = min(space.count, first.range.count - done)
        first.buffer.copy(done..<done + count, into: space)
        if done + count == first.range.count {
            dropFirst()
            readOn()
        }
        return count
    }

    private func dropFirst() { spare.append(pieces.removeFirst().buffer) }

    private func leave(for offset: Int64) {
        turn += 1
        spare += pieces.map(\.buffer)
        pieces = []
        isReading = false
        failure = nil
        next = offset
    }

    private func readOn() {
        guard !isReading, failure == nil, pieces.count < 2, next < range.upperBound else { return }
        let piece = next..<min(next + Int64(pieceBytes), range.upperBound)
        isReading = true
        let turn = turn
        let buffer = spare.popLast() ?? PieceBuffer()
        read(piece, piece.upperBound == range.upperBound, buffer) { [weak self] result in
            guard let self, self.turn == turn else { return }
            self.isReading = false
            switch result {
            case .success:
                self.pieces.append(Piece(range: piece, buffer: buffer))
                self.next = piece.upperBound
                self.readOn()
            case .failure(let error): self.failure = error
            }
            guard self.isAwaited else { return }
            self.isAwaited = false
            self.arrived()
        }
    }
}

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
