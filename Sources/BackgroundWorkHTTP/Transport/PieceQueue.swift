import BackgroundWorkFoundation
import Synchronization

/// Pieces of a body between one who reads them and one who sends them, at most ``mostBytes`` and one piece.
final class PieceQueue: Sendable {
    private static let mostBytes = 512 << 10

    private struct State: Sendable {
        var pieces: [Data] = []
        var used = 0
        var bytes = 0
        var end: Result<Void, HTTPError>?
        var isCancelled = false
        var isWaitedFor = false
        var arrived: (@Sendable () -> Void)?
        var room: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    func begin(arrived: @escaping @Sendable () -> Void) { state.withLock { $0.arrived = arrived } }

    /// Adds a piece. Calls `room` once, when the next one may be added or the body is not needed any more.
    func add(_ piece: Data, room: @escaping @Sendable () -> Void) {
        let (arrived, hasRoom) = state.withLock { state in
            if state.isCancelled || piece.isEmpty { return (nil, true) as ((@Sendable () -> Void)?, Bool) }
            state.pieces.append(piece)
            state.bytes += piece.count
            let hasRoom = state.bytes < Self.mostBytes
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
            guard let piece = state.pieces.first else {
                switch state.end {
                case .success: return (.bytes(0), nil)
                case .failure(let error): return (.failed(error), nil)
                case nil:
                    state.isWaitedFor = true
                    return (.wait, nil)
                }
            }
            let count = min(space.count, piece.count - state.used)
            piece.withUnsafeBytes {
                space.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[state.used..<state.used + count]))
            }
            state.used += count
            if state.used == piece.count {
                state.pieces.removeFirst()
                state.used = 0
                state.bytes -= piece.count
            }
            guard state.bytes < Self.mostBytes else { return (.bytes(count), nil) }
            defer { state.room = nil }
            return (.bytes(count), state.room)
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
