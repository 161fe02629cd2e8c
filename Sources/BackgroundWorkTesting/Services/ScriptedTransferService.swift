import BackgroundWork
import BackgroundWorkTransfers
import Foundation
import Synchronization

/// A daemon that does what a test says: it takes transfers, and moves and ends them when it is told to. No byte goes over
/// a network.
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
/// It remembers its transfers as a real one does while no scheduler is there: give the same one to the next scheduler
/// on the folder to test a restart. One scheduler at a time is connected. May be used from any isolation.
public final class ScriptedTransferService: Sendable {
    let state = Mutex(ScriptedState())
    let staging: String
    let automatic: @Sendable (ScriptedTransfer) -> ScriptedOutcome?

    /// Creates a daemon without transfers. Throws what the file system throws: it has a folder in the temporary
    /// directory, which goes with it.
    ///
    /// - Parameter automatic: asked at each start; what it gives ends the transfer at once.
    public init(automatic: @escaping @Sendable (ScriptedTransfer) -> ScriptedOutcome? = { _ in nil }) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bgwork-scripted-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        staging = folder.path(percentEncoded: false)
        self.automatic = automatic
    }

    deinit { try? FileManager.default.removeItem(atPath: staging) }

    /// What has been reserved and not been forgotten, in order.
    public var transfers: [ScriptedTransfer] { state.withLock { $0.records.map(\.transfer) } }

    /// Returns when the work's newest transfer has been started, and has not ended. Returns it as it is then.
    @discardableResult
    public func untilStarted(workID: String) async -> ScriptedTransfer? {
        await wait { $0.last { $0.workID == workID }.map { $0.isStarted && !$0.hasEnded } ?? false }
        return transfers.last { $0.workID == workID }
    }

    /// Returns when the transfers are as the closure says. It is asked again after each change.
    public func wait(until isSatisfied: @escaping @Sendable ([ScriptedTransfer]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let satisfied = state.withLock { state in
                state.waiters.append(.init(isSatisfied: isSatisfied, continuation: continuation))
                return state.takeSatisfied()
            }
            for waiter in satisfied { waiter.resume() }
        }
    }

    /// Ends a running transfer. Its outcome is told to the scheduler that is connected, or to the next one, until it has
    /// been taken in.
    ///
    /// Throws ``ScriptedTransferError``, and what writing the file throws.
    public func end(workID: String, with outcome: ScriptedOutcome) throws {
        try change { state in
            let index = try Self.running(workID, in: state)
            state.records[index].outcome = try self.outcome(outcome, of: state.records[index])
            return index
        }
    }

    /// Tells how far a running transfer is, in bytes.
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

    /// Takes the connection away: nothing is told, and all that is asked of the daemon fails, until
    /// ``restoreConnection()``.
    public func loseConnection() {
        state.withLock { state in
            state.isReachable = false
            state.standing = .away
        }
    }

    /// Brings the connection back. When it returns the scheduler has been told all that waited.
    public func restoreConnection() async {
        state.withLock { $0.isReachable = true }
        await introduce()
    }

    /// Forgets all transfers, as a daemon does whose journal was lost. The scheduler hears of it with the next
    /// connection; take that away before.
    public func loseJournal() {
        state.withLock { state in
            state.records = []
            state.epoch += 1
        }
    }

    /// The transfer of some work is gone, with the journal whole: what a fault of the daemon would be.
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
