import BackgroundWorkFiles
import BackgroundWorkModel
import Synchronization

/// Completes a work item from a daemon's outcome, the same on every platform.
///
/// Each step records what the next launch needs to continue from there; the crash table in Docs/architecture.md lists
/// the steps.
package final class TransferCompletion: Sendable {
    private let ledger: any TransferLedger
    private let stateStore: TransferStateStore
    private let service: any TransferService
    private let mover: FileMover
    private let folders: FolderMoves
    private let clock: any WorkClock
    private let inProgress = Mutex<Set<TransferReference>>([])

    /// How often a transient error is retried before the work fails with it: half a minute, with the intake's waits.
    private static let patience = 8
    /// The same for a caller that waits for this alone.
    private static let shortPatience = 6

    package init(
        ledger: any TransferLedger, stateStore: TransferStateStore, service: any TransferService,
        folders: FolderMoves = .none, clock: any WorkClock
    ) {
        self.folders = folders
        self.clock = clock
        self.ledger = ledger
        self.stateStore = stateStore
        self.service = service
        mover = FileMover(ownFolder: DurableFile.folder(of: stateStore.path))
    }

    /// Processes an outcome. When it returns without an error, the daemon has deleted the transfer, or another process
    /// is completing it. On an error nothing is lost: the daemon delivers the outcome again.
    ///
    /// - Parameters:
    ///   - attempt: the number of the attempt for this outcome, from 1. A transient error fails the work only after
    ///     many attempts.
    ///   - standingKnown: called as soon as the item is no longer queued, so that no worker starts it.
    package func process(
        _ outcome: TransferOutcome, attempt: Int = 1, standingKnown: @Sendable () -> Void
    ) async throws {
        let isLast = attempt >= Self.patience
        let outcome = outcome.moved(by: folders)
        // A reconnect may deliver again what is being processed just now.
        guard inProgress.withLock({ $0.insert(outcome.reference).inserted }) else { return }
        defer { _ = inProgress.withLock { $0.remove(outcome.reference) } }
        let standing = try await ledger.standing(for: outcome) { Self.directMove(of: outcome) }
        standingKnown()
        switch standing {
        case .ownedElsewhere: return
        case .settled: await discardTemporary(of: outcome)
        case .awaited: try await complete(outcome, isLast: isLast)
        case .moving(let move): try await place(move.moved(by: folders), of: outcome.reference, isLast: isLast)
        }
        try await service.acknowledge(outcome.reference)
        // Last, because a worker that ran again beside this delivery may have written the entry once more before its
        // transfer was forgotten; from now on the daemon refuses to resume it, and the hand-off removes the entry
        // itself. What a death before this leaves is removed at the next start.
        stateStore.removeSoon(session: outcome.sessionIdentifier, task: outcome.taskIdentifier)
    }

    /// Resumes a move that an ended process left, whether or not the daemon still knows the transfer.
    package func resume(_ move: FileMove, of reference: TransferReference) async throws {
        let move = move.moved(by: folders)
        for attempt in 1..<Self.shortPatience {
            do {
                return try await place(move, of: reference, isLast: false)
            } catch let error as FileError where error.isTransient {
                try await clock.sleep(for: .milliseconds(50 << attempt))
            }
        }
        try await place(move, of: reference, isLast: true)
    }

    /// Removes the file left by a process that ended between the end of the work and the removal of its file.
    private func discardTemporary(of outcome: TransferOutcome) async {
        guard case .delivered = outcome.result else { return }
        await mover.discard(FileMover.temporaryPath(for: outcome.wantedPath, of: outcome.reference))
    }

    /// The move of a delivered file that replaces a file at its target.
    private static func directMove(of outcome: TransferOutcome) -> FileMove? {
        guard case .delivered(let staged, let bytes, let statusCode, let finalURL) = outcome.result,
            outcome.collision == .replace
        else { return nil }
        let wanted = outcome.wantedPath
        let output = DownloadOutput(
            savePath: wanted, bytes: bytes, statusCode: statusCode, finalURL: finalURL, details: outcome.details)
        guard let particulars = try? output.encoded() else { return nil }
        return FileMover.directMove(staged, for: MoveRequest(outcome, particulars: particulars))
    }

    /// - Parameter isLast: whether a transient error is no longer retried.
    private func complete(_ outcome: TransferOutcome, isLast: Bool) async throws {
        let key = outcome.reference.key
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
            if outcome.collision == .discard, await mover.isTaken(wanted) {
                output.skipped = true
                try await ledger.transferSucceeded(
                    key, message: Self.skipped(wanted), outputJSON: try output.encoded())
                return await discardTemporary(of: outcome)
            }
            let move: FileMove
            do {
                move = try await mover.move(
                    stagingPath, beside: MoveRequest(outcome, particulars: try output.encoded()),
                    of: outcome.reference)
            } catch let error as FileError where error.isTransient && !isLast {
                throw error
            } catch {
                try await ledger.transferFailed(key, failure: Self.failure(of: error, savePath: wanted))
                return await discardTemporary(of: outcome)
            }
            if try await ledger.fileArrived(key, move: move) {
                try await place(move, of: outcome.reference, isLast: isLast)
            } else {
                await mover.discard(move.temporaryPath)
            }
        }
    }

    private func place(_ move: FileMove, of reference: TransferReference, isLast: Bool) async throws {
        let key = reference.key
        var move = move
        var isCleared = false
        while true {
            let placement: FileMover.Placement
            do {
                placement = try await mover.place(move)
                if let next = try await another(move, after: placement, of: reference) {
                    // Committed before the file moves, so that after a crash it is looked for in the right place.
                    guard try await ledger.fileRedirected(key, move: next) else { break }
                    move = next
                    continue
                }
            } catch let error as FileError where error.isTransient && !isLast {
                throw error
            } catch let error as FileError {
                isCleared = try await ended(move, with: error, key)
                break
            } catch let error as RefusedPathError {
                try await ledger.transferFailed(key, failure: Self.failure(of: error, savePath: move.targetPath))
                break
            } catch let error as VolumeGoneError {
                // Whether the last step was taken can only be seen on that volume.
                try await ledger.transferFailed(key, failure: Self.failure(of: error, move: move))
                break
            }
            if placement == .lost {
                try await ledger.transferFailed(key, failure: Self.lost(move))
                break
            }
            try await ledger.fileMoved(
                key, message: Self.message(placement, move),
                outputJSON: try DownloadOutput.text(of: move, isSkipped: placement == .nameTaken))
            isCleared = placement == .moved
            break
        }
        // Only now, when the end is recorded: a file that is gone while its item is `finishing` has been moved.
        if isCleared { return }
        await mover.discard(
            // The daemon's own file is not ours to remove, but a copy of it that came no further than beside its target is.
            move.isDirect ? FileMover.temporaryPath(for: move.wantedPath, of: reference) : move.temporaryPath)
    }

    /// Reports a permanent error; returns whether the file is in place nevertheless. No failure is reported when the
    /// file is in place.
    private func ended(_ move: FileMove, with error: FileError, _ key: TransferKey) async throws -> Bool {
        guard await mover.isInPlace(move) else {
            try await ledger.transferFailed(key, failure: Self.failure(of: error, savePath: move.targetPath))
            return false
        }
        try await ledger.fileMoved(
            key, message: "\(Self.message(.moved, move)); its name could not be made durable: \(error)",
            outputJSON: try DownloadOutput.text(of: move, isSkipped: false))
        return true
    }

    /// The move to try next; `nil` when there is none.
    private func another(
        _ move: FileMove, after placement: FileMover.Placement, of reference: TransferReference
    ) async throws -> FileMove? {
        switch placement {
        case .nameTaken where move.collision == .nextName: try await mover.redirected(move)
        case .onOtherVolume:
            try await mover.move(move.temporaryPath, beside: MoveRequest(move), of: reference)
        case .moved, .replacedSince, .removedSince, .nameTaken, .lost: nil
        }
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
        case .onOtherVolume, .lost: lost(move).message
        }
    }

    private static func skipped(_ path: String) -> String {
        "skipped: a file was put at \(path) while this one was on its way; that one stays, and this one was discarded"
    }

    /// The daemon's file was moved to its target, or removed with the daemon's records, and the process was interrupted
    /// before it recorded which.
    private static func lost(_ move: FileMove) -> TransferFailure {
        TransferFailure(
            kind: .disk,
            message: "The downloaded file is neither in the agent's folder (\(move.temporaryPath)) nor at "
                + "\(move.targetPath); moving it there was interrupted.",
            isRetryable: true)
    }

    private static func failure(of error: VolumeGoneError, move: FileMove) -> TransferFailure {
        var failure = failure(of: error, savePath: move.targetPath)
        failure.message +=
            move.isDirect
            ? " If it was put there already, it is on that volume."
            : " What was fetched is on that volume, there or as \(move.temporaryPath)."
        return failure
    }

    private static func failure(of error: any Error, savePath: String) -> TransferFailure {
        let isOutOfSpace = (error as? FileError)?.isOutOfSpace ?? false
        return TransferFailure(
            kind: .disk, message: "The downloaded file could not be put at \(savePath): \(error)",
            isRetryable: isOutOfSpace)
    }
}
