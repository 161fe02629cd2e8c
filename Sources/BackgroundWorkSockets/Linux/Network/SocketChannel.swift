import BackgroundWorkFoundation
import BackgroundWorkHTTP
import Synchronization

/// A connection as tasks see it: what they want sent, and what has arrived for them. The network's thread does the rest.
final class SocketChannel: WebSocketChannel {
    /// To be sent, and who waits for it.
    struct Outgoing: Sendable {
        enum Frame: Sendable {
            case message(WebSocketContent)
            case ping([UInt8])
            case close(WebSocketCloseCode, String)
        }
        var frame: Frame
        var sent: Promise<Void>?
    }

    /// So much is received without being read, and one message.
    private static let mostMessages = 32
    private static let mostBytes = 512 << 10

    private struct State: Sendable {
        var outgoing = FIFO<Outgoing>()
        var messages = FIFO<WebSocketContent>()
        var messageBytes = 0
        var receiver: Promise<WebSocketContent>?
        var pings: [UInt64: Promise<Void>] = [:]
        var nextPing: UInt64 = 0
        var opening = WebSocketOpening()
        var ending: WebSocketEnding?
        /// What the server has answered that is no agreement, as far as it is here.
        var rejection: WebSocketRejection?
        /// Whether this side has closed.
        var isClosing = false
        var closers: [Promise<Void>] = []

        var hasRoom: Bool {
            isClosing || messages.count < SocketChannel.mostMessages && messageBytes < SocketChannel.mostBytes
        }
    }

    let socket: PreparedSocket
    /// Resolved when it is open, or cannot be opened.
    let opened = Promise<Void>()
    /// Bytes in both directions.
    private let moved = Atomic<UInt64>(0)
    private let attend: @Sendable (SocketChannel) -> Void
    private let state = Mutex(State())

    /// - Parameter attend: tells the network's thread that something has changed.
    init(_ socket: PreparedSocket, attend: @escaping @Sendable (SocketChannel) -> Void) {
        self.socket = socket
        self.attend = attend
    }

    var opening: WebSocketOpening { state.withLock { $0.opening } }
    var ending: WebSocketEnding? { state.withLock { $0.ending } }
    var rejection: WebSocketRejection? { state.withLock { $0.rejection } }
    var traffic: SocketTraffic {
        SocketTraffic(moved: moved.load(ordering: .relaxed), waitsForReader: !hasRoom)
    }

    // MARK: Called by tasks

    func send(_ content: WebSocketContent) async throws {
        let sent = Promise<Void>()
        try state.withLock { state in
            if let ending = state.ending { throw ending.error }
            if state.isClosing { throw WebSocketError.closed(.normal, "", byPeer: false, socket.url) }
            state.outgoing.append(Outgoing(frame: .message(content), sent: sent))
        }
        attend(self)
        try await sent.value()
    }

    func receive() async throws -> WebSocketContent {
        let promise = Promise<WebSocketContent>()
        let (message, hadRoom) = try state.withLock { state -> (WebSocketContent?, Bool) in
            if state.receiver != nil { throw WebSocketError.busy(socket.url) }
            let hadRoom = state.hasRoom
            if let message = state.messages.popFirst() {
                state.messageBytes -= message.byteCount
                return (message, hadRoom || !state.hasRoom)
            }
            if let ending = state.ending { throw ending.error }
            state.receiver = promise
            return (nil, true)
        }
        if let message {
            if !hadRoom { attend(self) }
            try Task.checkCancellation()
            return message
        }
        defer { state.withLock { if $0.receiver === promise { $0.receiver = nil } } }
        return try await promise.value()
    }

    func ping() async throws {
        let answered = Promise<Void>()
        let number = try state.withLock { state in
            if let ending = state.ending { throw ending.error }
            if state.isClosing { throw WebSocketError.closed(.normal, "", byPeer: false, socket.url) }
            state.nextPing += 1
            state.pings[state.nextPing] = answered
            let payload = withUnsafeBytes(of: state.nextPing.bigEndian) { Array($0) }
            state.outgoing.append(Outgoing(frame: .ping(payload)))
            return state.nextPing
        }
        attend(self)
        defer { state.withLock { _ = $0.pings.removeValue(forKey: number) } }
        try await answered.value()
    }

    func close(_ code: WebSocketCloseCode, _ reason: String) async {
        let ended = Promise<Void>()
        let isOpen = state.withLock { state in
            if state.ending != nil { return false }
            if !state.isClosing {
                state.isClosing = true
                state.outgoing.append(Outgoing(frame: .close(code, reason)))
            }
            state.closers.append(ended)
            return true
        }
        guard isOpen else { return }
        attend(self)
        try? await ended.value()
    }

    func cut(_ error: WebSocketError) {
        if end(.failed(error)) { attend(self) }
    }

    // MARK: Called by the network's thread

    func open(_ opening: WebSocketOpening) {
        state.withLock { $0.opening = opening }
        opened.resolve(.success(()))
    }

    func isRejected(_ rejection: WebSocketRejection) { state.withLock { $0.rejection = rejection } }

    func hasMoved(_ bytes: UInt64) { moved.store(bytes, ordering: .relaxed) }

    var hasRoom: Bool { state.withLock { $0.hasRoom } }
    var isClosing: Bool { state.withLock { $0.isClosing } }

    func nextOutgoing() -> Outgoing? { state.withLock { $0.outgoing.popFirst() } }
    var hasOutgoing: Bool { state.withLock { !$0.outgoing.isEmpty } }

    func received(_ content: WebSocketContent) {
        state.withLock { state in
            if state.messages.isEmpty, let receiver = state.receiver {
                state.receiver = nil
                if receiver.resolve(.success(content)) { return }
            }
            // Nobody reads any more who would make room.
            if state.isClosing, state.messages.count >= Self.mostMessages { return }
            state.messages.append(content)
            state.messageBytes += content.byteCount
        }
    }

    func receivedPong(_ payload: [UInt8]) {
        guard payload.count == 8 else { return }
        let number = payload.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // A pong answers the pings before it as well (RFC 6455, section 5.5.3).
        let answered = state.withLock { state in
            guard state.pings[number] != nil else { return [] as [Promise<Void>] }
            let numbers = state.pings.keys.filter { $0 <= number }
            return numbers.compactMap { state.pings.removeValue(forKey: $0) }
        }
        for promise in answered { promise.resolve(.success(())) }
    }

    /// The connection has ended. Returns whether it had not.
    @discardableResult
    func end(_ ending: WebSocketEnding) -> Bool {
        let (left, isFirst) = state.withLock { state -> (State, Bool) in
            if state.ending != nil { return (State(), false) }
            var ending = ending
            if state.isClosing, ending.error.kind != .closed || !ending.error.isOwnEnd {
                ending.error = .closed(ending.code, ending.reason, byPeer: false, socket.url)
            }
            state.ending = ending
            let left = state
            state.outgoing = FIFO()
            (state.receiver, state.pings, state.closers) = (nil, [:], [])
            return (left, true)
        }
        guard isFirst, let error = left.ending?.error else { return false }
        opened.resolve(.failure(error))
        left.receiver?.resolve(.failure(error))
        for outgoing in left.outgoing.elements { outgoing.sent?.resolve(.failure(error)) }
        for ping in left.pings.values { ping.resolve(.failure(error)) }
        for closer in left.closers { closer.resolve(.success(())) }
        return true
    }
}
