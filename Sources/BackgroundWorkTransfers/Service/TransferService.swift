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
