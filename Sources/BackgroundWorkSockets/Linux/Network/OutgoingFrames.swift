import BackgroundWorkFoundation

/// What is to be sent next, as frames. A long message goes in fragments, so that it does not hold up pongs. On the network's
/// thread.
struct OutgoingFrames {
    /// Of a fragment, and about as much is given to the system at a time.
    static let fragmentBytes = 64 << 10

    private struct Message {
        let opcode: FrameOpcode
        let isCompressed: Bool
        let payload: Data
        let sent: Promise<Void>?
        var position = 0
    }

    private let compression: (deflater: MessageDeflater, minimumBytes: Int)?
    private var generator = SystemRandomNumberGenerator()
    private var message: Message?
    /// The answer to the last ping; those before it need none (RFC 6455, section 5.5.3).
    private var pong: [UInt8]?
    /// The answer to a close frame.
    private var echo: [UInt8]?
    private(set) var hasClosed = false

    /// - Parameter compression: `nil` if it was not agreed on.
    init(compression: (deflater: MessageDeflater, minimumBytes: Int)? = nil) { self.compression = compression }

    mutating func answer(ping payload: [UInt8]) { pong = payload }

    mutating func answer(close code: WebSocketCloseCode) {
        echo = code == .noStatus ? [] : FrameWriter.closePayload(code, "")
    }

    /// A close frame instead of all that is left.
    mutating func fail(with code: WebSocketCloseCode) { echo = FrameWriter.closePayload(code, "") }

    /// Frames to be sent, and who waits for the messages that end in them; empty if there are none.
    mutating func next(of channel: SocketChannel) -> (bytes: [UInt8], sent: [Promise<Void>]) {
        var (bytes, sent) = ([UInt8](), [Promise<Void>]())
        while bytes.count < Self.fragmentBytes, !hasClosed {
            if let echo {
                append(.close, echo, to: &bytes)
                hasClosed = true
            } else if let pong {
                append(.pong, pong, to: &bytes)
                self.pong = nil
            } else if message != nil {
                appendFragment(to: &bytes, &sent)
            } else if let outgoing = channel.nextOutgoing() {
                begin(outgoing, &bytes)
            } else {
                break
            }
        }
        return (bytes, sent)
    }

    private mutating func begin(_ outgoing: SocketChannel.Outgoing, _ bytes: inout [UInt8]) {
        switch outgoing.frame {
        case .ping(let payload): append(.ping, payload, to: &bytes)
        case .close(let code, let reason):
            append(.close, FrameWriter.closePayload(code, reason), to: &bytes)
            hasClosed = true
        case .message(let content):
            let (opcode, payload): (FrameOpcode, Data) =
                switch content {
                case .text(let text): (.text, Data(text.utf8))
                case .data(let data): (.binary, data)
                }
            if let compression, payload.count >= compression.minimumBytes {
                message = Message(
                    opcode: opcode, isCompressed: true,
                    payload: Data(payload.withUnsafeBytes { compression.deflater.deflate($0) }), sent: outgoing.sent)
            } else {
                message = Message(opcode: opcode, isCompressed: false, payload: payload, sent: outgoing.sent)
            }
        }
    }

    private mutating func appendFragment(to bytes: inout [UInt8], _ sent: inout [Promise<Void>]) {
        guard let message else { return }
        let isFirst = message.position == 0
        let count = min(Self.fragmentBytes, message.payload.count - message.position)
        let isFinal = message.position + count == message.payload.count
        let mask = mask()
        message.payload.withUnsafeBytes { payload in
            FrameWriter.append(
                isFirst ? message.opcode : .continuation,
                UnsafeRawBufferPointer(rebasing: payload[message.position..<message.position + count]),
                isFinal: isFinal, isCompressed: isFirst && message.isCompressed, mask: mask, to: &bytes)
        }
        self.message?.position += count
        guard isFinal else { return }
        if let promise = message.sent { sent.append(promise) }
        self.message = nil
    }

    private mutating func append(_ opcode: FrameOpcode, _ payload: [UInt8], to bytes: inout [UInt8]) {
        let mask = mask()
        payload.withUnsafeBytes { FrameWriter.append(opcode, $0, mask: mask, to: &bytes) }
    }

    private mutating func mask() -> UInt32 { .random(in: 0...UInt32.max, using: &generator) }

    /// Who waits for the message that is being sent, when the connection has ended.
    var unsent: Promise<Void>? { message?.sent }
}
