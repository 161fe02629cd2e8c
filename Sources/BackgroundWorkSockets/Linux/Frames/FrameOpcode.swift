/// What a frame is (RFC 6455, section 5.2).
enum FrameOpcode: UInt8, Sendable {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xa

    /// Whether it may stand between the fragments of a message, and is no fragment itself.
    var isControl: Bool { rawValue & 0x8 != 0 }
}

/// The peer has sent what no correct server sends.
enum FrameFault: Error, Hashable {
    case violation(String)
    /// Text that is not UTF-8, or what cannot be decompressed.
    case invalidData(String)
    /// A message of more bytes than are allowed.
    case tooLong

    /// With which the connection is closed (RFC 6455, section 7.4.1).
    var closeCode: WebSocketCloseCode {
        switch self {
        case .violation: .protocolError
        case .invalidData: .invalidData
        case .tooLong: .messageTooBig
        }
    }
}
