import BackgroundWorkModel

/// A daemon that goes on transferring while the process is not there: Apple's `nsurlsessiond` or this package's agent.
///
/// Every call is idempotent, so that doing it again after a crash changes nothing.
package protocol TransferService: Sendable {
    /// Records the transfer, not started, and returns its task identifier. The same reference gets the same one.
    func reserve(_ specification: TransferSpecification) async throws -> Int64
    /// Starts a reserved transfer.
    func resume(_ reference: TransferReference) async throws
    /// Holds a transfer where it is, or lets it go on; durable. Unknown and finished ones are fine.
    func setPaused(_ reference: TransferReference, _ isPaused: Bool) async throws
    /// Forgets a transfer, whatever its state.
    func cancel(_ reference: TransferReference) async throws
    /// Tells the daemon that an outcome was taken in.
    func acknowledge(_ reference: TransferReference) async throws
    /// All that the daemon knows. Throws when it cannot be reached: that is no answer.
    func transfers() async throws -> [TransferSnapshot]
    /// From here on connections and outcomes are told to the receiver. Connects, and starts the daemon if need be,
    /// only when `immediately`; otherwise with the first call that needs it. After an immediate connection all outcomes
    /// that waited have been told when it returns.
    func receive(with receiver: any TransferReceiver, immediately: Bool) async
    /// Ends the connection. The daemon goes on.
    func disconnect() async
}

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
