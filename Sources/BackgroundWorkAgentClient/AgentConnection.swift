import BackgroundWorkFiles
import BackgroundWorkSystem
import BackgroundWorkTransfers
import Dispatch
import Synchronization

/// One connection to the agent: replies are matched with requests by number, unsolicited frames are passed on.
///
/// A thread of its own waits in `recv`; sending happens on a queue. Neither blocks the cooperative pool.
final class AgentConnection: Sendable {
    private struct Waiting {
        var continuation: CheckedContinuation<AgentReply, any Error>
        /// How many checks have found it waiting.
        var checks = 0
    }

    private struct State: ~Copyable {
        var nextID: Int64 = 1
        var waiting: [Int64: Waiting] = [:]
        var isWatched = false
        /// Why it was closed: the agent does not answer.
        var hang: AgentUnavailableError?
        var unsent: [ClientFrame] = []
        var isClosed = false
    }

    let epoch: String
    private let socket: AgentSocket
    private let state = Mutex(State())
    private let patience: AgentPatience
    private let logPath: String
    private let sending = DispatchQueue(label: "BackgroundWork.AgentConnection")
    /// Separate from sending, which may wait for the agent.
    private static let watching = DispatchQueue(label: "BackgroundWork.AgentConnection.watch")
    private let onEvent: @Sendable (AgentEvent) -> Void
    private let onClose: @Sendable (AgentConnection) -> Void

    /// Takes a socket on which `hello` has been answered.
    private init(
        socket: AgentSocket, epoch: String, patience: AgentPatience, logPath: String,
        onEvent: @escaping @Sendable (AgentEvent) -> Void, onClose: @escaping @Sendable (AgentConnection) -> Void
    ) {
        self.patience = patience
        self.logPath = logPath
        self.socket = socket
        self.epoch = epoch
        self.onEvent = onEvent
        self.onClose = onClose
    }

    /// Connects and says hello. Blocks the calling thread. Throws ``AgentUnavailableError`` when the agent does not answer.
    static func open(
        _ paths: AgentPaths, store: String, minimumTaskIdentifier: Int64, patience: AgentPatience,
        onEvent: @escaping @Sendable (AgentEvent) -> Void,
        onClose: @escaping @Sendable (AgentConnection) -> Void
    ) throws -> AgentConnection {
        let socket = try AgentSocket(paths, sendLimit: patience.longestSeconds, receiveLimit: patience.interval)
        let hello = AgentRequest.hello(
            protocolVersion: FrameCodec.protocolVersion, store: store, minimumTaskIdentifier: minimumTaskIdentifier)
        try socket.send(FrameCodec.encode(ClientFrame(id: 0, request: hello)))
        var reader = FrameReader()
        var checks = 0
        while true {
            do {
                if try reader.receive(socket.receive) == 0 { throw ClosedBeforeHello() }
            } catch let error as FileError where error.code == EAGAIN {
                checks += 1
                if let hang = patience.hang(of: socket.peer, after: checks, log: paths.log) { throw hang }
                continue
            }
            guard let body = try reader.next() else { continue }
            switch try FrameCodec.decode(AgentFrame.self, from: body) {
            case .reply(_, .hello(_, let epoch, _)):
                let connection = AgentConnection(
                    socket: socket, epoch: epoch, patience: patience, logPath: paths.log, onEvent: onEvent,
                    onClose: onClose)
                socket.waitForEver()
                connection.startReading(reader)
                return connection
            case .reply(_, .failed(let failure)): throw failure
            case let other: throw FrameError.garbled("\(other)", reason: "expected the answer to hello")
            }
        }
    }

    /// The agent left between accepting the connection and answering; another attempt finds or starts its successor.
    struct ClosedBeforeHello: Error {}

    /// Sends a request and waits for the answer. Throws ``AgentFailure`` when the agent rejects it, ``Lost`` when the
    /// connection breaks, and ``AgentUnavailableError`` when the agent does not answer; the connection is then closed.
    ///
    /// Runs on the caller's actor up to the queue, so that the requests of one actor are sent in order.
    func ask(_ request: AgentRequest, isolation: isolated (any Actor)? = #isolation) async throws -> AgentReply {
        let reply = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<AgentReply, any Error>) in
            let place = state.withLock { state -> Bool? in
                if state.isClosed { return nil }
                defer { state.nextID += 1 }
                state.waiting[state.nextID] = Waiting(continuation: continuation)
                if !state.isWatched {
                    state.isWatched = true
                    watchAgain()
                }
                state.unsent.append(ClientFrame(id: state.nextID, request: request))
                return state.unsent.count == 1
            }
            guard let isFirst = place else {
                continuation.resume(throwing: Lost())
                return
            }
            // The caller that finds the queue empty starts the sending of everything queued by then.
            if isFirst { sending.async { self.sendWaiting() } }
        }
        if case .failed(let failure) = reply { throw failure }
        return reply
    }

    private func watchAgain() {
        Self.watching.asyncAfter(deadline: .now() + (patience.interval / .seconds(1))) { [weak self] in self?.check() }
    }

    private func check() {
        let hangs = state.withLock { state in
            if state.isClosed || state.waiting.isEmpty {
                // Under the lock: the next request starts another watch, and there is never more than one.
                state.isWatched = false
                return false
            }
            var longest = 0
            for id in state.waiting.keys {
                state.waiting[id]?.checks += 1
                longest = max(longest, state.waiting[id]?.checks ?? 0)
            }
            state.hang = patience.hang(of: socket.peer, after: longest, log: logPath)
            if state.hang == nil { watchAgain() }
            return state.hang != nil
        }
        // The reading thread fails the waiting requests.
        if hangs { socket.shutDown() }
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
        do {
            try socket.send(bytes)
        } catch let error as FileError where error.code == EAGAIN {
            // Half a frame may have been sent. The reading thread fails the waiting requests.
            state.withLock {
                $0.hang = .hangs(process: socket.peer, seconds: patience.longestSeconds, log: logPath)
            }
            socket.shutDown()
        } catch {
            for frame in frames { settle(frame.id, with: .failure(Lost())) }
        }
    }

    /// The connection broke; whether the agent carried out the request is unknown, and repeating it is safe.
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
            } while try reader.receive(socket.receive) > 0
        } catch {
            // A frame that cannot be read ends the connection like the end of the stream; every request can be repeated
            // on the next one.
            socket.shutDown()
        }
        let (waiting, hang) = state.withLock { state in
            state.isClosed = true
            defer { state.waiting.removeAll() }
            return (state.waiting, state.hang)
        }
        for one in waiting.values { one.continuation.resume(throwing: hang ?? Lost()) }
        onClose(self)
    }

    private func handle(_ frame: AgentFrame) {
        switch frame {
        case .reply(let id, let reply): settle(id, with: .success(reply))
        case .outcome(let outcome): onEvent(.outcome(outcome))
        case .progress(let list): onEvent(.progress(list))
        }
    }

    private func settle(_ id: Int64, with result: Result<AgentReply, any Error>) {
        state.withLock { $0.waiting.removeValue(forKey: id) }?.continuation.resume(with: result)
    }
}

/// Unsolicited messages of the agent.
enum AgentEvent: Sendable {
    case outcome(TransferOutcome)
    case progress([TransferProgress])
}
