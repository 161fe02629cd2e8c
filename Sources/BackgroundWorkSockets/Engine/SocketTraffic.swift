/// What tells a connection that is slow, or waits for its reader, from one that is dead.
struct SocketTraffic: Sendable, Hashable {
    /// Grows when something has come or was sent: bytes or messages, as the platform tells.
    var moved: UInt64
    /// Whether nothing is taken from the network because messages wait for their reader. The answer to a ping may be
    /// behind them.
    var waitsForReader: Bool
}
