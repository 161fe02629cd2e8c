/// Reads the frames of a server from pieces of any length (RFC 6455, section 5.2). Pure.
struct FrameParser: Sendable {
    /// The head of a frame.
    struct Head: Sendable, Hashable {
        var opcode: FrameOpcode
        var isFinal: Bool
        /// RSV1, which says that the message is compressed.
        var isCompressed: Bool
        var length: Int
    }

    /// What takes frames.
    protocol Receiver {
        /// A frame begins.
        mutating func begin(_ head: Head) throws(FrameFault)
        /// A part of its payload.
        mutating func take(_ bytes: UnsafeRawBufferPointer) throws(FrameFault)
        /// It is complete. Returns whether to go on with the next one; the rest of a piece is left otherwise.
        mutating func end() throws(FrameFault) -> Bool
    }

    private static let controlLimit = 125
    private var headBytes: [UInt8] = []
    /// Of the frame's payload; `nil` between frames.
    private var left: Int?

    init() { headBytes.reserveCapacity(10) }

    /// Takes bytes, and returns how many: fewer than all when the receiver wants no more.
    mutating func parse(
        _ bytes: UnsafeRawBufferPointer, into receiver: inout some Receiver
    ) throws(FrameFault) -> Int {
        var used = 0
        while true {
            if let left {
                let count = min(left, bytes.count - used)
                if count > 0 { try receiver.take(UnsafeRawBufferPointer(rebasing: bytes[used..<used + count])) }
                used += count
                self.left = left - count
                guard left == count else { return used }
                self.left = nil
                guard try receiver.end() else { return used }
            }
            guard used < bytes.count else { return used }
            headBytes.append(bytes[used])
            used += 1
            guard let head = try Self.head(headBytes) else { continue }
            headBytes.removeAll(keepingCapacity: true)
            try receiver.begin(head)
            left = head.length
        }
    }

    /// `nil` while it is not complete.
    private static func head(_ bytes: [UInt8]) throws(FrameFault) -> Head? {
        guard bytes.count >= 2 else { return nil }
        guard bytes[0] & 0x30 == 0 else { throw .violation("a frame has reserved bits") }
        guard let opcode = FrameOpcode(rawValue: bytes[0] & 0xf) else {
            throw .violation("a frame has the reserved opcode \(bytes[0] & 0xf)")
        }
        guard bytes[1] & 0x80 == 0 else { throw .violation("a frame of the server is masked") }
        let isFinal = bytes[0] & 0x80 != 0
        let short = Int(bytes[1] & 0x7f)
        if opcode.isControl {
            guard isFinal else { throw .violation("a control frame is fragmented") }
            guard short <= controlLimit else { throw .violation("a control frame has more than 125 bytes") }
        }
        let extra = short == 126 ? 2 : short == 127 ? 8 : 0
        guard bytes.count == 2 + extra else { return nil }
        let long = bytes[2...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        if extra == 2 && long < 126 || extra == 8 && long <= 0xffff {
            throw .violation("a frame's length is not written in the shortest way")
        }
        guard let length = extra == 0 ? short : Int(exactly: long) else {
            throw .violation("a frame's length has its highest bit set")
        }
        return Head(opcode: opcode, isFinal: isFinal, isCompressed: bytes[0] & 0x40 != 0, length: length)
    }
}
