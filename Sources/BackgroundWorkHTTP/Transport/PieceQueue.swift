import BackgroundWorkFoundation
import Synchronization

/// Pieces of a body between one who reads them and one who sends them, at most ``mostBytes`` and one piece.
final class PieceQueue: Sendable {
    private static let mostBytes = 512 << 10
    private static let mostPieces = 4096

    private struct State: Sendable {
        var pieces = FIFO<Data>()
        var used = 0
        var bytes = 0
        var end: Result<Void, HTTPError>?
        var isCancelled = false
        var isWaitedFor = false
        var arrived: (@Sendable () -> Void)?
        var room: (@Sendable () -> Void)?

        var hasRoom: Bool { bytes < PieceQueue.mostBytes && pieces.count < PieceQueue.mostPieces }
    }

    private let state = Mutex(State())

    func begin(arrived: @escaping @Sendable () -> Void) { state.withLock { $0.arrived = arrived } }

    /// Adds a piece. Calls `room` once, when the next one may be added or the body is not needed any more.
    func add(_ piece: Data, room: @escaping @Sendable () -> Void) {
        let (arrived, hasRoom) = state.withLock { state in
            if state.isCancelled || piece.isEmpty { return (nil, true) as ((@Sendable () -> Void)?, Bool) }
            state.pieces.append(piece)
            state.bytes += piece.count
            let hasRoom = state.hasRoom
            if !hasRoom { state.room = room }
            defer { state.isWaitedFor = false }
            return (state.isWaitedFor ? state.arrived : nil, hasRoom)
        }
        arrived?()
        if hasRoom { room() }
    }

    func end(_ result: Result<Void, HTTPError>) {
        let arrived = state.withLock { state in
            state.end = result
            defer { state.isWaitedFor = false }
            return state.isWaitedFor ? state.arrived : nil
        }
        arrived?()
    }

    func take(into space: UnsafeMutableRawBufferPointer) -> BodyPiece {
        let (answer, room) = state.withLock { state -> (BodyPiece, (@Sendable () -> Void)?) in
            var filled = 0
            while filled < space.count, let piece = state.pieces.first {
                let count = min(space.count - filled, piece.count - state.used)
                piece.withUnsafeBytes { bytes in
                    UnsafeMutableRawBufferPointer(rebasing: space[filled...]).copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: bytes[state.used..<state.used + count]))
                }
                filled += count
                state.used += count
                guard state.used == piece.count else { break }
                _ = state.pieces.popFirst()
                state.used = 0
                state.bytes -= piece.count
            }
            if filled == 0 {
                switch state.end {
                case .success: return (.bytes(0), nil)
                case .failure(let error): return (.failed(error), nil)
                case nil:
                    state.isWaitedFor = true
                    return (.wait, nil)
                }
            }
            guard state.hasRoom else { return (.bytes(filled), nil) }
            defer { state.room = nil }
            return (.bytes(filled), state.room)
        }
        room?()
        return answer
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func cancel() {
        let (room, arrived) = state.withLock { state in
            defer {
                state = State()
                state.isCancelled = true
                state.end = .failure(.cancelledBody)
            }
            return (state.room, state.isWaitedFor ? state.arrived : nil)
        }
        room?()
        arrived?()
    }
}
