import BackgroundWorkFiles
import BackgroundWorkModel
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The way from a daemon's outcome to a finished work item, the same on every platform.
///
/// Each step leaves on disk what the next launch needs to go on from there; the crash table in
/// Docs/architecture.md names them.
package final class TransferCompletion: Sendable {
    private let ledger: any TransferLedger
    private let stateStore: TransferStateStore
    private let service: any TransferService
    private let mover: FileMover
    private let underWay = Mutex<Set<TransferReference>>([])

    package init(ledger: any TransferLedger, stateStore: TransferStateStore, service: any TransferService) {
        self.ledger = ledger
        self.stateStore = stateStore
        self.service = service
        mover = FileMover()
    }

    /// Takes an outcome in. When it returns without an error the daemon has forgotten the transfer, or somebody else
    /// is at it. On an error nothing is lost: the daemon delivers again.
    ///
    /// - Parameter standingKnown: called as soon as the item is out of the queue; no worker will start on it any more.
    package func process(_ outcome: TransferOutcome, standingKnown: @Sendable () -> Void) async throws {
        // A reconnect may deliver again what is being processed just now.
        guard underWay.withLock({ $0.insert(outcome.reference).inserted }) else { return }
        defer { _ = underWay.withLock { $0.remove(outcome.reference) } }
        let standing = try await ledger.standing(for: outcome)
        standingKnown()
        switch standing {
        case .inOtherHands: return
        case .settled: break
        case .awaited(let key): try await complete(outcome, key: key)
        case .interrupted(let key, let move):
            try await place(move, key: key, details: outcome.deliveredDetails)
        }
        try await stateStore.remove(session: outcome.sessionIdentifier, task: outcome.taskIdentifier)
        try await service.acknowledge(outcome.reference)
        // A worker that ran again beside this delivery may have written the entry once more before its transfer was
        // forgotten; from now on the daemon refuses to resume it, and the hand-off removes the entry itself. Without
        // such an entry this is a look at the file's stamp.
        try await stateStore.remove(session: outcome.sessionIdentifier, task: outcome.taskIdentifier)
    }

    /// Takes up a move that a dead process left, whether or not the daemon still knows of it.
    package func takeUp(_ move: FileMove, key: TransferKey) async throws {
        try await place(move, key: key, details: nil)
    }

    private func complete(_ outcome: TransferOutcome, key: TransferKey) async throws {
        switch outcome.result {
        case .failed(let failure): try await ledger.transferFailed(key, failure: failure)
        case .delivered(let stagingPath, _, _, _):
            let move: FileMove
            do {
                move = try await mover.bring(stagingPath, beside: outcome.savePath, key: key)
            } catch {
                try await ledger.transferFailed(key, failure: Self.failure(of: error, savePath: outcome.savePath))
                return
            }
            guard try await ledger.fileArrived(key, move: move) else {
                await mover.discard(move)
                return
            }
            try await place(move, key: key, details: outcome.deliveredDetails)
        }
    }

    private func place(_ move: FileMove, key: TransferKey, details: DeliveredDetails?) async throws {
        let placement: FileMover.Placement
        do {
            placement = try await mover.place(move)
        } catch {
            await mover.discard(move)
            try await ledger.transferFailed(key, failure: Self.failure(of: error, savePath: move.targetPath))
            return
        }
        let output = DownloadOutput(
            savePath: move.targetPath, bytes: move.identity.bytes, statusCode: details?.statusCode,
            url: details?.finalURL)
        try await ledger.fileMoved(
            key, message: placement.message(for: move.targetPath), outputJSON: try output.encoded())
    }

    private static func failure(of error: any Error, savePath: String) -> TransferFailure {
        let isOutOfSpace = (error as? FileError)?.isOutOfSpace ?? false
        return TransferFailure(
            kind: .disk, message: "The downloaded file could not be put at \(savePath): \(error)",
            isRetryable: isOutOfSpace)
    }
}

/// What a delivered outcome says beside the file.
private struct DeliveredDetails: Sendable {
    var statusCode: Int
    var finalURL: String
}

extension TransferOutcome {
    fileprivate var deliveredDetails: DeliveredDetails? {
        guard case .delivered(_, _, let statusCode, let finalURL) = result else { return nil }
        return DeliveredDetails(statusCode: statusCode, finalURL: finalURL)
    }
}
