import BackgroundWorkFoundation
import Synchronization

/// A connection of a URL session's task.
final class SessionChannel: WebSocketChannel {
    private struct State: Sendable {
        var task: (any SessionSocketTask)?
        var opening = WebSocketOpening()
        var isOpen = false
        var ending: WebSocketEnding?
        /// Whether this side has closed.
        var isClosing = false
        var isReceiving = false
        /// Messages in both directions.
        var moved: UInt64 = 0
        var waiting: [ObjectIdentifier: Promise<Void>] = [:]
        var receiver: Promise<WebSocketContent>?
        var closers: [Promise<Void>] = []
    }

    private let socket: PreparedSocket
    private let system: any SessionSocketSystem
    /// Resolved when it is open, or cannot be opened.
    let opened = Promise<Void>()
    private let state = Mutex(State())

    init(_ socket: PreparedSocket, _ system: any SessionSocketSystem) {
        self.socket = socket
        self.system = system
    }

    var opening: WebSocketOpening { state.withLock { $0.opening } }
    var ending: WebSocketEnding? { state.withLock { $0.ending } }
    var traffic: SocketTraffic {
        state.withLock { SocketTraffic(moved: $0.moved, waitsForReader: !$0.isReceiving) }
    }

    /// Starts to connect.
    func begin() throws {
        let task = try system.task(for: socket, telling: self)
        let isWanted = state.withLock { state in
            state.task = task
            return state.ending == nil
        }
        if isWanted { task.resume() } else { task.cancel() }
    }

    // MARK: Called by tasks

    func send(_ content: WebSocketContent) async throws {
        try await run { $0.send(content, completed: $1) }
    }

    func ping() async throws { try await run { $0.ping(answered: $1) } }

    private func run(
        _ body: (any SessionSocketTask, @escaping @Sendable ((any Error)?) -> Void) -> Void
    ) async throws {
        let done = Promise<Void>()
        let task = try state.withLock { state in
            if let ending = state.ending { throw ending.error }
            if state.isClosing { throw WebSocketError.closed(.normal, "", byPeer: false, socket.url) }
            state.waiting[ObjectIdentifier(done)] = done
            return state.task
        }
        defer { state.withLock { _ = $0.waiting.removeValue(forKey: ObjectIdentifier(done)) } }
        if let task {
            body(task) { [self] error in
                if let error {
                    end(after: error)
                } else {
                    state.withLock { $0.moved += 1 }
                    done.resolve(.success(()))
                }
            }
        }
        try await done.value()
    }

    /// Also asks an ended task, which may have messages that arrived before its end.
    func receive() async throws -> WebSocketContent {
        let promise = Promise<WebSocketContent>()
        let task = try state.withLock { state in
            if state.isReceiving { throw WebSocketError.busy(socket.url) }
            state.isReceiving = true
            state.receiver = promise
            return state.task
        }
        defer { state.withLock { ($0.isReceiving, $0.receiver) = (false, nil) } }
        if let task {
            task.receive { [self] result in
                switch result {
                case .success(let content):
                    state.withLock { $0.moved += 1 }
                    promise.resolve(.success(content))
                case .failure(let error): promise.resolve(.failure(end(after: error)))
                }
            }
        }
        return try await promise.value()
    }

    func close(_ code: WebSocketCloseCode, _ reason: String) async {
        let ended = Promise<Void>()
        let (task, isOpen) = state.withLock { state -> ((any SessionSocketTask)?, Bool) in
            if state.ending != nil { return (nil, false) }
            defer { state.isClosing = true }
            state.closers.append(ended)
            return (state.isClosing ? nil : state.task, true)
        }
        guard isOpen else { return }
        task?.close(code: code.rawValue, reason: Data(reason.utf8))
        try? await ended.value()
    }

    func cut(_ error: WebSocketError) {
        end(.failed(error))
        let task = state.withLock { $0.task }
        task?.cancel()
    }

    // MARK: Called by the task's delegate

    func opened(subprotocol: String?) {
        state.withLock { state in
            state.isOpen = true
            let headers = state.task?.handshake?.headers ?? HTTPHeaders()
            state.opening = WebSocketOpening(
                subprotocol: subprotocol.flatMap { $0.isEmpty ? nil : $0 }, headers: headers)
        }
        opened.resolve(.success(()))
    }

    /// The server's close frame has come.
    func closed(code: Int, reason: Data?) { end(closing(code, reason)) }

    /// The task has ended.
    func completed(_ error: (any Error)?) {
        let (task, isOpen) = state.withLock { ($0.task, $0.isOpen) }
        if !isOpen, let answer = task?.handshake, answer.status != 101 {
            let now = WallTime(socket.clock.now)
            let rejection = WebSocketRejection(status: answer.status, headers: answer.headers, body: "", now: now)
            end(.failed(.rejected(rejection, socket.url)))
        } else if let error {
            end(after: error)
        } else if let code = task?.closeCodeNumber, code != 0 {
            end(closing(code, task?.closeReasonBytes))
        } else {
            end(.failed(.network("the connection has ended without a close frame", socket.url)))
        }
    }

    // MARK: Ends

    private func closing(_ code: Int, _ reason: Data?) -> WebSocketEnding {
        .closed(
            code == 0 ? .noStatus : WebSocketCloseCode(rawValue: code),
            String(decoding: reason ?? Data(), as: UTF8.self),
            socket)
    }

    /// A call has failed, which ends a task. Returns what calls throw from now on.
    @discardableResult
    private func end(after error: any Error) -> WebSocketError {
        let task = state.withLock { $0.task }
        if let code = task?.closeCodeNumber, code != 0 {
            end(closing(code, task?.closeReasonBytes))
        } else {
            end(.failed(system.failure(error, of: socket)))
        }
        task?.cancel()
        return ending?.error ?? .released(socket.url)
    }

    private func end(_ ending: WebSocketEnding) {
        let left = state.withLock { state -> State? in
            if state.ending != nil { return nil }
            var ending = ending
            if state.isClosing, !ending.error.isOwnEnd {
                ending.error = .closed(ending.code, ending.reason, byPeer: false, socket.url)
            }
            state.ending = ending
            let left = state
            (state.waiting, state.closers) = ([:], [])
            return left
        }
        guard let left, let error = left.ending?.error else { return }
        opened.resolve(.failure(error))
        for promise in left.waiting.values { promise.resolve(.failure(error)) }
        for closer in left.closers { closer.resolve(.success(())) }
        // A task that was closed may have more messages; one that has failed, or was cut, has none.
        if error.kind != .closed || error.isOwnEnd { left.receiver?.resolve(.failure(error)) }
    }
}
