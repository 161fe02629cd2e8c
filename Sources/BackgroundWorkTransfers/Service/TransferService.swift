import BackgroundWorkFiles
import BackgroundWorkModel

/// A daemon that continues transfers while the process is not running: Apple's `nsurlsessiond` or this package's agent.
///
/// Every call is idempotent, so that doing it again after a crash changes nothing.
package protocol TransferService: Sendable {
    /// What it can carry out of a specification.
    var capabilities: TransferCapabilities { get }
    /// Records the transfer, not started, and returns its task identifier. The same reference gets the same one.
    func reserve(_ specification: TransferSpecification) async throws -> Int64
    /// Starts a reserved transfer.
    func resume(_ reference: TransferReference) async throws
    /// Pauses or resumes a transfer; durable. Does nothing for unknown and finished ones.
    func setPaused(_ reference: TransferReference, _ isPaused: Bool) async throws
    /// Deletes transfers in any state. None of them starts because another one of them has left its slot.
    func cancel(_ references: [TransferReference]) async throws
    /// Acknowledges an outcome to the daemon.
    func acknowledge(_ reference: TransferReference) async throws
    /// All transfers of the daemon. Throws when it cannot be reached.
    func transfers() async throws -> [TransferSnapshot]
    /// From now on connections and outcomes are reported to the receiver. Connects, and starts the daemon if need be,
    /// only when `immediately`; otherwise with the first call that needs it. After an immediate connection all pending
    /// outcomes have been delivered when it returns.
    func receive(with receiver: any TransferReceiver, immediately: Bool) async
    /// Returns when the receiver has been given what happened in a session while no process was running that the
    /// daemon has launched or woken this one for. Daemons that tell all sessions at once, up to
    /// ``TransferReceiver/caughtUp()``, return immediately.
    func untilDelivered(session: String) async
    /// Ends the connection. The daemon continues.
    func disconnect() async
    /// The queues on which it locks files of the scheduler's directory.
    var lockingQueues: [HoldableQueue] { get }
}

extension TransferService {
    package var capabilities: TransferCapabilities { .all }

    package var lockingQueues: [HoldableQueue] { [] }

    package func untilDelivered(session: String) async {}

    /// Deletes a transfer in any state.
    package func cancel(_ reference: TransferReference) async throws { try await cancel([reference]) }
}

/// Receives a daemon's connections and outcomes.
package protocol TransferReceiver: Sendable {
    /// A connection was established. Called before any outcome of it.
    ///
    /// - Parameters:
    ///   - epoch: the identity of the daemon's journal; another one than before means that it was lost.
    ///   - transfers: all that the daemon knows.
    func connected(epoch: String, transfers: [TransferSnapshot]) async
    /// All outcomes that the daemon had recorded at the connection have been delivered; for what a session has yet to
    /// tell there is ``TransferService/untilDelivered(session:)``. Called once for each `connected`, unless the connection
    /// breaks before.
    func caughtUp() async
    /// A transfer has ended. Its outcome is delivered again on later connections until it is acknowledged. Called on
    /// the connection's thread; it must not block.
    func receive(_ outcome: TransferOutcome)
    /// How far transfers are: those that have changed. Called on the connection's thread; it must not block.
    func receive(_ progress: [TransferProgress])
    /// The daemon cannot be reached or started; another attempt follows.
    func unreachable(_ error: any Error) async
}
