import Foundation
import Synchronization
import TestSupport

@testable import BackgroundWorkSockets

/// Makes tasks that behave as Apple documents those of a URL session, with a server that a test plays.
final class ScriptedSystem: SessionSocketSystem {
    /// What becomes of a task that is resumed.
    enum Opening: Sendable {
        case open(subprotocol: String?)
        case rejected(Int)
        case failed
        /// Nothing, until it is cancelled.
        case silence
    }

    struct Broken: Error {}

    /// What the server gets of all tasks, and how it answers.
    final class Server: Sendable {
        let messages = Recorder<WebSocketContent>()
        let closes = Recorder<WebSocketEnding>()
        let pings = Recorder<Int>()
        let answersPings = Atomic(true)
        let answersClose = Atomic(true)
    }

    let server = Server()
    let tasks = Recorder<ScriptedTask>()
    /// By the number of the attempt, counted from 1.
    private let opening: @Sendable (Int) -> Opening

    init(_ opening: @escaping @Sendable (Int) -> Opening = { _ in .open(subprotocol: nil) }) { self.opening = opening }

    func check(_ socket: PreparedSocket) async throws {}

    func task(for socket: PreparedSocket, telling channel: SessionChannel) throws -> any SessionSocketTask {
        ScriptedTask(socket, channel, server, opening(tasks.values.count + 1)) { [tasks] in tasks.add($0) }
    }

    func failure(_ error: any Error, of socket: PreparedSocket) -> WebSocketError { .network("\(error)", socket.url) }

    func close() {}

    /// The task of that attempt, counted from 1, when it was resumed.
    func task(_ number: Int) async -> ScriptedTask {
        await tasks.wait { $0.count >= number }
        return tasks.values[number - 1]
    }
}

final class ScriptedTask: SessionSocketTask {
    private struct State: Sendable {
        var messages: [WebSocketContent] = []
        var receiver: (@Sendable (Result<WebSocketContent, any Error>) -> Void)?
        var pings: [@Sendable ((any Error)?) -> Void] = []
        var handshake: SessionHandshake?
        var code = 0
        var reason: Data?
        var hasEnded = false
    }

    let request: PreparedSocket
    let sent = Recorder<WebSocketContent>()
    private let server: ScriptedSystem.Server
    private let channel: SessionChannel
    private let opening: ScriptedSystem.Opening
    private let resumed: @Sendable (ScriptedTask) -> Void
    private let state = Mutex(State())

    init(
        _ request: PreparedSocket, _ channel: SessionChannel, _ server: ScriptedSystem.Server,
        _ opening: ScriptedSystem.Opening, resumed: @escaping @Sendable (ScriptedTask) -> Void
    ) {
        self.request = request
        self.channel = channel
        self.server = server
        self.opening = opening
        self.resumed = resumed
    }

    // MARK: As the engine uses it

    func resume() {
        resumed(self)
        switch opening {
        case .open(let subprotocol):
            state.withLock { $0.handshake = SessionHandshake(status: 101, headers: [:]) }
            channel.opened(subprotocol: subprotocol)
        case .rejected(let status):
            state.withLock { $0.handshake = SessionHandshake(status: status, headers: ["Retry-After": "7"]) }
            end(ScriptedSystem.Broken())
        case .failed: end(ScriptedSystem.Broken())
        case .silence: break
        }
    }

    func send(_ content: WebSocketContent, completed: @escaping @Sendable ((any Error)?) -> Void) {
        if state.withLock({ $0.hasEnded }) { return completed(ScriptedSystem.Broken()) }
        sent.add(content)
        server.messages.add(content)
        completed(nil)
    }

    func receive(completed: @escaping @Sendable (Result<WebSocketContent, any Error>) -> Void) {
        let result = state.withLock { state -> Result<WebSocketContent, any Error>? in
            if !state.messages.isEmpty { return .success(state.messages.removeFirst()) }
            if state.hasEnded { return .failure(ScriptedSystem.Broken()) }
            state.receiver = completed
            return nil
        }
        if let result { completed(result) }
    }

    func ping(answered: @escaping @Sendable ((any Error)?) -> Void) {
        if server.answersPings.load(ordering: .relaxed) {
            answered(nil)
        } else {
            state.withLock { $0.pings.append(answered) }
        }
        server.pings.add(1)
    }

    func close(code: Int, reason: Data) {
        let ending = WebSocketEnding(
            code: .init(rawValue: code), reason: String(decoding: reason, as: UTF8.self), error: .busy(request.url))
        server.closes.add(ending)
        if server.answersClose.load(ordering: .relaxed) { closeByPeer(code, String(decoding: reason, as: UTF8.self)) }
    }

    func cancel() { end(ScriptedSystem.Broken()) }

    var closeCodeNumber: Int { state.withLock { $0.code } }
    var closeReasonBytes: Data? { state.withLock { $0.reason } }
    var handshake: SessionHandshake? { state.withLock { $0.handshake } }

    // MARK: What the server does

    func deliver(_ content: WebSocketContent) {
        let receiver = state.withLock { state in
            if state.receiver == nil { state.messages.append(content) }
            defer { state.receiver = nil }
            return state.receiver
        }
        receiver?(.success(content))
    }

    /// A close frame.
    func closeByPeer(_ code: Int, _ reason: String) {
        let isFirst = state.withLock { state in
            if state.hasEnded { return false }
            (state.code, state.reason) = (code, Data(reason.utf8))
            return true
        }
        guard isFirst else { return }
        channel.closed(code: code, reason: Data(reason.utf8))
        end(nil)
    }

    /// The connection is lost.
    func drop() { end(ScriptedSystem.Broken()) }

    private func end(_ error: (any Error)?) {
        let left = state.withLock { state -> State? in
            if state.hasEnded { return nil }
            state.hasEnded = true
            defer { (state.receiver, state.pings) = (nil, []) }
            return state
        }
        guard let left else { return }
        left.receiver?(.failure(ScriptedSystem.Broken()))
        for ping in left.pings { ping(ScriptedSystem.Broken()) }
        channel.completed(error)
    }
}
