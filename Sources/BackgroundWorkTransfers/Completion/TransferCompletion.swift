import BackgroundWorkFiles
import BackgroundWorkModel
import Synchronization

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
        case .interrupted(let key, let move): try await place(move, key: key)
        }
        // What a death between the end of the work and the removal of its file has left.
        if case .delivered = outcome.result {
            await mover.discard(FileMover.temporaryPath(for: outcome.wantedPath, of: outcome.reference))
        }
        try await stateStore.remove(session: outcome.sessionIdentifier, task: outcome.taskIdentifier)
        try await service.acknowledge(outcome.reference)
        // A worker that ran again beside this delivery may have written the entry once more before its transfer was
        // forgotten; from now on the daemon refuses to resume it, and the hand-off removes the entry itself. Without
        // such an entry this is a look at the file's stamp.
        try await stateStore.remove(session: outcome.sessionIdentifier, task: outcome.taskIdentifier)
    }

    /// Takes up a move that a dead process left, whether or not the daemon still knows of it.
    package func takeUp(_ move: FileMove, key: TransferKey) async throws { try await place(move, key: key) }

    private func complete(_ outcome: TransferOutcome, key: TransferKey) async throws {
        switch outcome.result {
        case .failed(let failure): try await ledger.transferFailed(key, failure: failure)
        case .uploaded(let bytes, let statusCode, let finalURL):
            let output = UploadOutput(
                filePath: outcome.savePath, bytes: bytes, statusCode: statusCode, finalURL: finalURL,
                details: outcome.details)
            try await ledger.transferSucceeded(
                key, message: "sent \(outcome.savePath) to \(output.url), status \(statusCode)",
                outputJSON: try output.encoded())
        case .delivered(let stagingPath, let bytes, let statusCode, let finalURL):
            let wanted = outcome.wantedPath
            var output = DownloadOutput(
                savePath: wanted, bytes: bytes, statusCode: statusCode, finalURL: finalURL, details: outcome.details)
            let collision = (outcome.details?.onDuplicate ?? .overwrite).collision
            if collision == .discard, await mover.isTaken(wanted) {
                output.skipped = true
                try await ledger.transferSucceeded(
                    key, message: Self.skipped(wanted), outputJSON: try output.encoded())
                return
            }
            let move: FileMove
            do {
                move = try await mover.bring(
                    stagingPath, beside: wanted, of: outcome.reference, collision: collision,
                    particulars: try output.encoded())
            } catch {
                try await ledger.transferFailed(key, failure: Self.failure(of: error, savePath: wanted))
                return
            }
            if try await ledger.fileArrived(key, move: move) { try await place(move, key: key) }
        }
    }

    private func place(_ move: FileMove, key: TransferKey) async throws {
        var move = move
        while true {
            let placement: FileMover.Placement
            do {
                placement = try await mover.place(move)
                if placement == .nameTaken, move.collision == .nextName {
                    // Committed before the file moves, so that after a crash it is looked for in the right place.
                    let next = try await mover.redirected(move)
                    guard try await ledger.fileRedirected(key, move: next) else { break }
                    move = next
                    continue
                }
            } catch let error as FileError {
                try await ledger.transferFailed(key, failure: Self.failure(of: error, savePath: move.targetPath))
                break
            }
            var output = DownloadOutput(move)
            if placement == .nameTaken { output.skipped = true }
            try await ledger.fileMoved(
                key, message: Self.message(placement, move), outputJSON: try output.encoded())
            break
        }
        // Only now, when the end is recorded: a file that is gone while its item is `finishing` has been moved.
        await mover.discard(move.temporaryPath)
    }

    private static func message(_ placement: FileMover.Placement, _ move: FileMove) -> String {
        let target = move.targetPath
        return switch placement {
        case .moved where target != move.wantedPath: "saved to \(target), because \(move.wantedPath) was taken"
        case .moved: "saved to \(target)"
        case .replacedSince:
            "saved to \(target), where another file has been put since; that one was not touched"
        case .removedSince: "saved to \(target), and taken away from there since"
        case .nameTaken: skipped(target)
        }
    }

    private static func skipped(_ path: String) -> String {
        "skipped: a file was put at \(path) while this one was on its way; that one stays, and this one was discarded"
    }

    private static func failure(of error: any Error, savePath: String) -> TransferFailure {
        let isOutOfSpace = (error as? FileError)?.isOutOfSpace ?? false
        return TransferFailure(
            kind: .disk, message: "The downloaded file could not be put at \(savePath): \(error)",
            isRetryable: isOutOfSpace)
    }
}
