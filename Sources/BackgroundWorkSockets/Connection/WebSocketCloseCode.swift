/// Why a connection was closed (RFC 6455, section 7.4). 4000 to 4999 are for applications.
public struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable {
    /// The number.
    public let rawValue: Int

    /// Any number; see ``isSendable``.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// 1000: the purpose of the connection is fulfilled.
    public static let normal = WebSocketCloseCode(rawValue: 1000)
    /// 1001: the server goes down, or the program has left.
    public static let goingAway = WebSocketCloseCode(rawValue: 1001)
    /// 1002: the peer breaks the protocol.
    public static let protocolError = WebSocketCloseCode(rawValue: 1002)
    /// 1003: a kind of data that is not accepted.
    public static let unsupportedData = WebSocketCloseCode(rawValue: 1003)
    /// 1005: the peer's close frame had no code. Never sent.
    public static let noStatus = WebSocketCloseCode(rawValue: 1005)
    /// 1006: the connection was lost without a close frame. Never sent.
    public static let abnormal = WebSocketCloseCode(rawValue: 1006)
    /// 1007: text that is not UTF-8, or the like.
    public static let invalidData = WebSocketCloseCode(rawValue: 1007)
    /// 1008: a message violates the peer's policy.
    public static let policyViolation = WebSocketCloseCode(rawValue: 1008)
    /// 1009: a message is too long.
    public static let messageTooBig = WebSocketCloseCode(rawValue: 1009)
    /// 1010: the client needs an extension that the server does not offer.
    public static let missingExtension = WebSocketCloseCode(rawValue: 1010)
    /// 1011: the server has failed.
    public static let internalError = WebSocketCloseCode(rawValue: 1011)
    /// 1012: the server restarts.
    public static let serviceRestart = WebSocketCloseCode(rawValue: 1012)
    /// 1013: the server is overloaded; try again later.
    public static let tryAgainLater = WebSocketCloseCode(rawValue: 1013)
    /// 1014: a gateway got no valid answer from the server behind it.
    public static let badGateway = WebSocketCloseCode(rawValue: 1014)

    /// Whether it may stand in a close frame: 1000 to 1014 without 1004, 1005 and 1006, and 3000 to 4999.
    public var isSendable: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

extension WebSocketCloseCode: CustomStringConvertible {
    /// The number.
    public var description: String { String(rawValue) }
}

/// The reason in a close frame.
enum CloseReason {
    /// A control frame has 125 bytes, two of them for the code.
    static let mostBytes = 123

    /// At most so many bytes as fit, cut between two characters.
    static func fitting(_ reason: String) -> String {
        if reason.utf8.count <= mostBytes { return reason }
        var fitting = ""
        var count = 0
        for character in reason {
            count += character.utf8.count
            if count > mostBytes { break }
            fitting.append(character)
        }
        return fitting
    }
}
