import BackgroundWorkSystem
import BackgroundWorkTransfers

/// One client on the agent's socket. Never blocks.
final class ClientConnection {
    /// A client with more unread output than this no longer reads, and is disconnected.
    static let outputLimit = 8 << 20
    /// Above this no further outcome is queued; the client gets it when it has read.
    static let comfortableOutput = 256 << 10
    /// A client that waits for more answers than this is not read from until some are out.
    static let outstandingLimit = 1024
    /// The sent part of the output buffer is removed when it is larger than this.
    private static let mostSentBytes = 64 << 10

    let descriptor: Int32
    /// The work store named in its hello; `nil` before.
    var store: String?
    /// Whether it receives outcomes.
    var isReceiver = false
    /// Requests whose answers were not sent yet.
    var outstanding = 0
    private(set) var isOpen = true
    private var reader = FrameReader()
    private var output: [UInt8] = []
    private var sent = 0
    private var closesWhenSent = false

    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { BackgroundWorkSystem.close(descriptor) }

    var backlog: Int { output.count - sent }
    var wantsToWrite: Bool { isOpen && backlog > 0 }
    var wantsToRead: Bool { isOpen && !closesWhenSent && outstanding < Self.outstandingLimit }

    /// Reads what has arrived. ``nextFrame()`` throws for a frame that cannot be accepted.
    func receive() {
        let count = reader.receive { recv(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT)) }
        if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { isOpen = false }
    }

    func nextFrame() throws(FrameError) -> ArraySlice<UInt8>? { closesWhenSent ? nil : try reader.next() }

    /// Queues a frame. It is sent together with the other output of this iteration of the loop.
    func send(_ frame: AgentFrame) {
        guard isOpen else { return }
        do {
            output.append(contentsOf: try FrameCodec.encode(frame))
        } catch {
            AgentLog.write("an answer could not be sent: \(error)")
            guard case .reply(let id, _) = frame else { return }
            let failure = AgentFailure(
                code: .badRequest, message: "The answer is too large for one frame (\(error)). Ask for less at a time.")
            if let bytes = try? FrameCodec.encode(AgentFrame.reply(id: id, reply: .failed(failure))) {
                output.append(contentsOf: bytes)
            }
        }
        hasQueued()
    }

    /// Queues an outcome given as JSON, as `send(.outcome(…))` would.
    func send(outcomeJSON json: String) {
        guard isOpen else { return }
        do {
            output.append(contentsOf: try FrameCodec.encode(outcomeJSON: json))
        } catch {
            AgentLog.write("an answer could not be sent: \(error)")
        }
        hasQueued()
    }

    private func hasQueued() {
        if backlog > Self.comfortableOutput { flush() }
        if backlog > Self.outputLimit {
            AgentLog.write("a client does not read its answers; its connection is closed")
            isOpen = false
        }
    }

    /// Sends as much as the socket accepts.
    func flush() {
        while isOpen, backlog > 0 {
            let count = output.withUnsafeBytes {
                BackgroundWorkSystem.send(
                    descriptor, $0.baseAddress?.advanced(by: sent), $0.count - sent,
                    Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                sent += count
            } else if errno == EAGAIN {
                break
            } else if errno != EINTR {
                isOpen = false
            }
        }
        if backlog == 0 || sent > Self.mostSentBytes {
            output.removeFirst(sent)
            sent = 0
        }
        if closesWhenSent, backlog == 0 { isOpen = false }
    }

    /// Sends what is queued and then closes.
    func closeWhenSent() {
        closesWhenSent = true
        flush()
    }
}
