#if os(Linux)
import BackgroundWorkFiles
import Dispatch
import Synchronization

/// One conversation with the agent: requests are matched with replies by number, outcomes are passed on.
///
/// A thread of its own waits in `recv`; sending happens on a queue. Neither blocks the cooperative pool.
final class AgentConnection: Sendable {
    private struct State: ~Copyable {
        var nextID: Int64 = 1
        var waiting: [Int64: CheckedContinuation<AgentReply, any Error>] = [:]
        var isClosed = false
    }

    let epoch: String
    private let socket: AgentSocket
    private let state = Mutex(State())
    private let sending = DispatchQueue(label: "BackgroundWork.AgentConnection")
    private let onOutcome: @Sendable (TransferOutcome) -> Void
    private let onClose: @Sendable (AgentConnection) -> Void

    /// Takes a socket on which `hello` has been answered.
    private init(
        socket: AgentSocket, epoch: String, onOutcome: @escaping @Sendable (TransferOutcome) -> Void,
        onClose: @escaping @Sendable (AgentConnection) -> Void
    ) {
        self.socket = socket
        self.epoch = epoch
        self.onOutcome = onOutcome
        self.onClose = onClose
    }

    /// Connects and says hello. Blocks the calling thread.
    static func open(
        _ paths: AgentPaths, store: String, minimumTaskIdentifier: Int64,
        onOutcome: @escaping @Sendable (TransferOutcome) -> Void,
        onClose: @escaping @Sendable (AgentConnection) -> Void
    ) throws -> AgentConnection {
        let socket = try AgentSocket(paths)
        let hello = AgentRequest.hello(
            protocolVersion: FrameCodec.protocolVersion, store: store, minimumTaskIdentifier: minimumTaskIdentifier)
        try socket.send(FrameCodec.encode(ClientFrame(id: 0, request: hello)))
        var reader = FrameReader()
        while true {
            let bytes = try socket.receive()
            if bytes.isEmpty { throw ClosedBeforeHello() }
            reader.append(bytes)
            guard let body = try reader.next() else { continue }
            switch try FrameCodec.decode(AgentFrame.self, from: body) {
            case .reply(_, .hello(_, let epoch, _)):
                let connection = AgentConnection(
                    socket: socket, epoch: epoch, onOutcome: onOutcome, onClose: onClose)
                connection.startReading(reader)
                return connection
            case .reply(_, .failed(let failure)): throw failure
            case let other: throw FrameError.garbled("\(other)", reason: "expected the answer to hello")
            }
        }
    }

    /// The agent left between accepting the connection and answering; another try finds or starts its successor.
    struct ClosedBeforeHello: Error {}

    /// Asks and waits for the answer. Throws ``AgentFailure`` when the agent refuses, and ``Lost`` when it is gone.
    ///
    /// Runs on the caller's actor as far as the queue, so that what one actor asks is sent in the order it asks in.
    func ask(_ request: AgentRequest, isolation: isolated (any Actor)? = #isolation) async throws -> AgentReply {
        let reply = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<AgentReply, any Error>) in
            let id = state.withLock { state -> Int64? in
                if state.isClosed { return nil }
                defer { state.nextID += 1 }
                state.waiting[state.nextID] = continuation
                return state.nextID
            }
            guard let id else {
                continuation.resume(throwing: Lost())
                return
            }
            sending.async {
                do {
                    try self.socket.send(FrameCodec.encode(ClientFrame(id: id, request: request)))
                } catch {
                    self.settle(id, with: .failure(error is FrameError ? error : Lost()))
                }
            }
        }
        if case .failed(let failure) = reply { throw failure }
        return reply
    }

    /// The connection broke; whether the agent carried the request out is not known, and asking again is safe.
    struct Lost: Error {}

    func close() { socket.shutDown() }

    private func startReading(_ reader: FrameReader) {
        SystemThread.start { self.read(reader) }
    }

    private func read(_ start: FrameReader) {
        var reader = start
        do {
            repeat {
                while let body = try reader.next() { handle(try FrameCodec.decode(AgentFrame.self, from: body)) }
                let bytes = try socket.receive()
                if bytes.isEmpty { break }
                reader.append(bytes)
            } while true
        } catch {
            // A frame that cannot be read ends the conversation as the end of the stream does; the next one starts
            // anew, and everything in it can be asked again.
            socket.shutDown()
        }
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting.removeAll() }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume(throwing: Lost()) }
        onClose(self)
    }

    private func handle(_ frame: AgentFrame) {
        switch frame {
        case .reply(let id, let reply): settle(id, with: .success(reply))
        case .outcome(let outcome): onOutcome(outcome)
        }
    }

    private func settle(_ id: Int64, with result: Result<AgentReply, any Error>) {
        state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(with: result)
    }
}
#endif
