import BackgroundWorkFiles
import BackgroundWorkURLSession
import Dispatch
import Synchronization

/// An app's connection to the simulated daemon.
final class DaemonConnection: Sendable {
    typealias Answer = @Sendable (DaemonReply?) -> Void

    private struct State {
        var nextID: Int64 = 1
        var waiting: [Int64: Answer] = [:]
        var isLost = false
    }

    private let socket: DaemonSocket
    private let state = Mutex(State())
    /// Held while a message is written, so that messages go in the order of the calls.
    private let sending = Mutex(())

    init(socketPath: String) throws { socket = try DaemonSocket.connected(to: socketPath) }

    /// Reads until the connection ends, on a thread of its own. The connection stays alive until then.
    func start(onEvent: @escaping @Sendable (EventMessage) -> Void, onEnd: @escaping @Sendable () -> Void) {
        SystemThread.start { [self] in
            Frames.read(DaemonMessage.self, from: socket) { message in
                switch message {
                case .reply(let id, let reply): state.withLock { $0.waiting.removeValue(forKey: id) }?(reply)
                case .event(let event): onEvent(event)
                }
            }
            let waiting = state.withLock { state in
                state.isLost = true
                defer { state.waiting = [:] }
                return Array(state.waiting.values)
            }
            for answer in waiting { answer(nil) }
            onEnd()
        }
    }

    var isLost: Bool { state.withLock { $0.isLost } }

    /// Sends without waiting. What is sent before the process dies still reaches the daemon.
    func tell(_ request: AppRequest) { send(AppMessage(id: 0, request: request)) }

    /// `then` gets the answer on the reading thread, or `nil` when the daemon is gone.
    func ask(_ request: AppRequest, then: @escaping Answer) {
        let id = state.withLock { state -> Int64? in
            if state.isLost { return nil }
            defer { state.nextID += 1 }
            state.waiting[state.nextID] = then
            return state.nextID
        }
        guard let id else { return then(nil) }
        send(AppMessage(id: id, request: request))
    }

    /// The same, blocking the calling thread, as the system's calls do.
    func ask(_ request: AppRequest) -> DaemonReply? {
        let (done, reply) = (DispatchSemaphore(value: 0), Answered())
        ask(request) {
            reply.set($0)
            done.signal()
        }
        done.wait()
        return reply.value
    }

    private func send(_ message: AppMessage) {
        do {
            let bytes = try Frames.bytes(of: message)
            try sending.withLock { _ in try socket.send(bytes) }
        } catch {
            // The reading thread answers what waits.
            socket.shutDown()
        }
    }

    func close() { socket.shutDown() }

    private final class Answered: Sendable {
        private let reply = Mutex<DaemonReply?>(nil)
        func set(_ value: DaemonReply?) { reply.withLock { $0 = value } }
        var value: DaemonReply? { reply.withLock { $0 } }
    }
}
