#if os(Linux)
import BackgroundWorkFiles
import Dispatch
import Synchronization

/// One conversation with the agent: requests are matched with replies by number, what comes unasked is passed on.
///
/// A thread of its own waits in `recv`; sending happens on a queue. Neither blocks the cooperative pool.
final class AgentConnection: Sendable {
    private struct State: ~Copyable {
        var nextID: Int64 = 1
        var waiting: [Int64: CheckedContinuation<AgentReply, any Error>] = [:]
        var unsent: [ClientFrame] = []
        var isClosed = false
    }

    let epoch: String
    private let socket: AgentSocket
    private let state = Mutex(State())
    private let sending = DispatchQueue(label: "BackgroundWork.AgentConnection")
    private let onNews: @Sendable (AgentNews) -> Void
    private let onClose: @Sendable (AgentConnection) -> Void

    /// Takes a socket on which `hello` has been answered.
    private init(
        socket: AgentSocket, epoch: String, onNews: @escaping @Sendable (AgentNews) -> Void,
        onClose: @escaping @Sendable (AgentConnection) -> Void
    ) {
        self.socket = socket
        self.epoch = epoch
        self.onNews = onNews
        self.onClose = onClose
    }

    /// Connects and says hello. Blocks the calling thread.
    static func open(
        _ paths: AgentPaths, store: String, minimumTaskIdentifier: Int64,
        onNews: @escaping @Sendable (AgentNews) -> Void,
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
                    socket: socket, epoch: epoch, onNews: onNews, onClose: onClose)
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
            let place = state.withLock { state -> Bool? in
                if state.isClosed { return nil }
                defer { state.nextID += 1 }
                state.waiting[state.nextID] = continuation
                state.unsent.append(ClientFrame(id: state.nextID, request: request))
                return state.unsent.count == 1
            }
            guard let isFirst = place else {
                continuation.resume(throwing: Lost())
                return
            }
            // Whoever finds nothing unsent before its own has everything sent that has come by then.
            if isFirst { sending.async { self.sendWaiting() } }
        }
        if case .failed(let failure) = reply { throw failure }
        return reply
    }

    private func sendWaiting() {
        let frames = state.withLock { state in
            defer { state.unsent = [] }
            return state.unsent
        }
        var bytes: [UInt8] = []
        for frame in frames {
            do { bytes += try FrameCodec.encode(frame) } catch { settle(frame.id, with: .failure(error)) }
        }
        do { try socket.send(bytes) } catch { for frame in frames { settle(frame.id, with: .failure(Lost())) } }
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
        case .outcome(let outcome): onNews(.outcome(outcome))
        case .progress(let list): onNews(.progress(list))
        }
    }

    private func settle(_ id: Int64, with result: Result<AgentReply, any Error>) {
        state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(with: result)
    }
}
#endif
