import BackgroundWork
import BackgroundWorkTransfers
import Foundation
import Synchronization

/// A daemon that a test controls: it accepts transfers, and reports progress and ends them when the test says so. It
/// does not use a network.
///
/// ```swift
/// let daemon = try ScriptedTransferService()
/// configuration.scriptedTransfers = daemon
/// try await scheduler.backgroundSessions.enqueueDownload(configuration: download, id: "film")
/// await daemon.untilStarted(workID: "film")
/// try daemon.report(workID: "film", bytes: 500, of: 1000)
/// try daemon.end(workID: "film", with: .downloaded(Array("the film".utf8)))
/// ```
///
/// It keeps its transfers, as a real one does, while no scheduler is running: pass the same one to the next scheduler
/// on the folder to test a restart. One scheduler at a time is connected. May be used from any isolation.
public final class ScriptedTransferService: Sendable {
    let state = Mutex(ScriptedState())
    let staging: String
    let automatic: @Sendable (ScriptedTransfer) -> ScriptedOutcome?

    /// Creates a daemon without transfers. Throws the file system's errors: it has a folder in the temporary
    /// directory, which is deleted with it.
    ///
    /// - Parameter automatic: called at each start; an outcome that it returns ends the transfer at once.
    public init(automatic: @escaping @Sendable (ScriptedTransfer) -> ScriptedOutcome? = { _ in nil }) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bgwork-scripted-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        staging = folder.path(percentEncoded: false)
        self.automatic = automatic
    }

    deinit { try? FileManager.default.removeItem(atPath: staging) }

    /// The transfers that were reserved and not removed, in order.
    public var transfers: [ScriptedTransfer] { state.withLock { $0.records.map(\.transfer) } }

    /// Returns the work's newest transfer, as soon as it has been started and has not ended.
    @discardableResult
    public func untilStarted(workID: String) async -> ScriptedTransfer? {
        await wait { $0.last { $0.workID == workID }.map { $0.isStarted && !$0.hasEnded } ?? false }
        return transfers.last { $0.workID == workID }
    }

    /// Returns when `isSatisfied` accepts the transfers. It is called again after each change.
    public func wait(until isSatisfied: @escaping @Sendable ([ScriptedTransfer]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let satisfied = state.withLock { state in
                state.waiters.append(.init(isSatisfied: isSatisfied, continuation: continuation))
                return state.takeSatisfied()
            }
            for waiter in satisfied { waiter.resume() }
        }
    }

    /// Ends a running transfer. Its outcome is delivered to the connected scheduler, or to the next one, until it has
    /// been processed.
    ///
    /// Throws ``ScriptedTransferError``, and what writing the file throws.
    public func end(workID: String, with outcome: ScriptedOutcome) throws {
        try change { state in
            let index = try Self.running(workID, in: state)
            state.records[index].outcome = try self.outcome(outcome, of: state.records[index])
            return index
        }
    }

    /// Reports the progress of a running transfer, in bytes.
    ///
    /// Throws ``ScriptedTransferError``.
    public func report(
        workID: String, bytes: Int64, of totalBytes: Int64? = nil, bytesPerSecond: Int64? = nil
    ) throws {
        try change { state in
            let index = try Self.running(workID, in: state)
            state.records[index].bytes = bytes
            state.records[index].totalBytes = totalBytes
            state.records[index].bytesPerSecond = bytesPerSecond
            return index
        }
    }

    /// Disconnects the daemon: it reports nothing, and all calls to it fail, until ``restoreConnection()``.
    public func loseConnection() {
        state.withLock { state in
            state.isReachable = false
            state.standing = .away
        }
    }

    /// Connects the daemon again. When it returns, the scheduler has been informed of everything that waited.
    public func restoreConnection() async {
        state.withLock { $0.isReachable = true }
        await introduce()
    }

    /// Removes all transfers, as a daemon does whose journal was lost. The scheduler is informed at the next
    /// connection; disconnect before.
    public func loseJournal() {
        state.withLock { state in
            state.records = []
            state.epoch += 1
        }
    }

    /// Removes the transfer of some work while the journal stays complete, as a fault of the daemon would.
    public func forget(workID: String) {
        let satisfied = state.withLock { state in
            state.records.removeAll { $0.specification.reference.key.workID == workID }
            return state.takeSatisfied()
        }
        for waiter in satisfied { waiter.resume() }
    }

    private static func running(_ workID: String, in state: ScriptedState) throws -> Int {
        guard let index = state.index(of: workID) else { throw ScriptedTransferError.noTransfer(workID: workID) }
        guard state.records[index].isRunning else { throw ScriptedTransferError.notRunning(workID: workID) }
        return index
    }
}
