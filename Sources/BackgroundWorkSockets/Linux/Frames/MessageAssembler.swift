import BackgroundWorkFoundation

/// Makes messages of frames: fragments are joined, text is checked, compressed messages are decompressed, and none of
/// them becomes longer than allowed. Pure.
struct MessageAssembler: FrameParser.Receiver {
    /// What has arrived.
    enum Event: Hashable {
        case message(WebSocketContent)
        case ping([UInt8])
        case pong([UInt8])
        case close(WebSocketCloseCode, String)
    }

    private struct Message {
        let isText: Bool
        let isCompressed: Bool
        var bytes = Data()
        var text = UTF8Check()
    }

    private let limit: Int
    private let inflater: MessageInflater?
    private var head: FrameParser.Head?
    private var control: [UInt8] = []
    private var message: Message?
    /// What has arrived since it was last taken.
    private(set) var events: [Event] = []

    /// - Parameters:
    ///   - limit: the most bytes of a message, after decompression.
    ///   - inflater: `nil` if compression was not agreed on.
    init(limit: Int, inflater: MessageInflater? = nil) {
        // Far more than any memory, and sums with it do not overflow.
        self.limit = min(limit, 1 << 48)
        self.inflater = inflater
    }

    mutating func takeEvents() -> [Event] {
        defer { events = [] }
        return events
    }

    // MARK: What the parser tells

    mutating func begin(_ head: FrameParser.Head) throws(FrameFault) {
        self.head = head
        if head.opcode.isControl {
            if head.isCompressed { throw .violation("a control frame has reserved bits") }
            control = []
            return
        }
        if head.opcode == .continuation {
            guard message != nil else { throw .violation("a continuation continues nothing") }
            if head.isCompressed { throw .violation("a continuation has reserved bits") }
        } else {
            guard message == nil else { throw .violation("a message begins within another one") }
            if head.isCompressed, inflater == nil { throw .violation("a frame has reserved bits") }
            message = Message(isText: head.opcode == .text, isCompressed: head.isCompressed)
        }
        // One that is compressed may become longer; one that is not, is as long as it says.
        if let message, !message.isCompressed, head.length > limit - message.bytes.count { throw .tooLong }
        // zlib makes of bytes that cannot be compressed at most an eighth and a 64th more (deflateBound), whatever its
        // memory.
        if message?.isCompressed == true, head.length > limit + limit / 8 + limit / 64 + 64 { throw .tooLong }
    }

    mutating func take(_ bytes: UnsafeRawBufferPointer) throws(FrameFault) {
        if head?.opcode.isControl == true {
            control += bytes
        } else if message?.isCompressed == true {
            try inflate(bytes)
        } else {
            try add(bytes)
        }
    }

    /// The parser pauses after each message, and after a close frame.
    mutating func end() throws(FrameFault) -> Bool {
        guard let head else { return true }
        self.head = nil
        if head.opcode.isControl {
            events.append(try controlEvent(head.opcode))
            return head.opcode != .close
        }
        guard head.isFinal, message != nil else { return true }
        if message?.isCompressed == true {
            // What the peer has left out (RFC 7692, section 7.2.2).
            try withUnsafeBytes(of: UInt32(0xffff).bigEndian) { bytes throws(FrameFault) in try inflate(bytes) }
            try inflater?.endMessage()
        }
        guard let complete = message else { return true }
        message = nil
        guard complete.isText else {
            events.append(.message(.data(complete.bytes)))
            return false
        }
        guard complete.text.isComplete else { throw .invalidData("a text message ends within a character") }
        events.append(.message(.text(String(decoding: complete.bytes, as: UTF8.self))))
        return false
    }

    // MARK: Payloads

    private mutating func inflate(_ bytes: UnsafeRawBufferPointer) throws(FrameFault) {
        guard let inflater else { return }
        try inflater.inflate(bytes) { piece throws(FrameFault) in try add(piece) }
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer) throws(FrameFault) {
        guard bytes.count <= limit - (message?.bytes.count ?? 0) else { throw .tooLong }
        if message?.isText == true, message?.text.take(bytes) == false {
            throw .invalidData("a text message is not UTF-8")
        }
        message?.bytes.append(contentsOf: bytes)
    }

    private func controlEvent(_ opcode: FrameOpcode) throws(FrameFault) -> Event {
        switch opcode {
        case .ping: return .ping(control)
        case .pong: return .pong(control)
        default: break
        }
        if control.isEmpty { return .close(.noStatus, "") }
        guard control.count >= 2 else { throw .violation("a close frame has one byte") }
        let code = WebSocketCloseCode(rawValue: Int(control[0]) << 8 | Int(control[1]))
        guard code.isSendable else { throw .violation("a close frame has the code \(code), which is never sent") }
        guard let reason = String(validating: control[2...], as: UTF8.self) else {
            throw .invalidData("the reason of a close frame is not UTF-8")
        }
        return .close(code, reason)
    }
}
