import BackgroundWorkModel

/// Who is told of a daemon's connections and outcomes.
package protocol TransferReceiver: Sendable {
    /// A connection stands. Comes before any outcome of it.
    ///
    /// - Parameters:
    ///   - epoch: the identity of the daemon's journal; another one than before means that it was lost.
    ///   - transfers: all that the daemon knows.
    func connected(epoch: String, transfers: [TransferSnapshot]) async
    /// All outcomes that waited when the connection was made have been told. Comes once for each `connected`, unless the
    /// connection breaks before.
    func caughtUp() async
    /// A transfer has ended. Its outcome comes again on later connections until it is acknowledged. Called on the
    /// connection's thread; it must not block.
    func receive(_ outcome: TransferOutcome)
    /// How far transfers are: those that have changed. Called on the connection's thread; it must not block.
    func receive(_ progress: [TransferProgress])
    /// The daemon cannot be reached or started; another try follows.
    func unreachable(_ error: any Error) async
}
