import BackgroundWorkFiles
import BackgroundWorkFoundation
import BackgroundWorkHTTP
import BackgroundWorkModel
import BackgroundWorkSystem
import BackgroundWorkTransfers
import Synchronization

/// One run of a download in process: goes on where an earlier one has stopped, and puts the complete file in its place.
///
/// The steps, each durable before the next one begins: the partial file is recorded; it is created; what its bytes will
/// belong to is stored; the bytes; that the complete file is being moved; the move. A run that finds the work of an
/// earlier one goes on with the step that is next.
final class DownloadRun: Sendable {
    /// How often a run begins anew because the file on the server is another one than before.
    private static let mostBeginnings = 4

    let plan: DownloadPlan
    let context: WorkerContext
    let services: BuiltInServices
    let files: PartialFiles
    let key: TransferKey
    let file: PartialFile
    let requests: WorkerRequests
    let reception: DownloadReception
    let url: TransferURL
    /// The URL's SHA-256.
    let source: String
    let boot: String
    /// How many were sent for the file, without those that were repeated with a new token.
    let sentRequests = Atomic(0)
    private let began: Duration

    init(
        _ plan: DownloadPlan, context: WorkerContext, key: TransferKey, services: BuiltInServices, files: PartialFiles,
        source: String, boot: String
    ) {
        self.plan = plan
        self.context = context
        self.services = services
        self.files = files
        self.key = key
        self.source = source
        self.boot = boot
        began = services.clock.uptime
        file = PartialFile(
            path: files.path(for: plan.path, of: key), target: plan.path, rules: FileRules(services.securityPolicy))
        requests = WorkerRequests(for: plan.url, plan.options, timeout: plan.timeout, services)
        reception = DownloadReception(context)
        url = TransferURL(plan.url)
    }

    /// Throws a `CancellationError` when it was stopped.
    func result() async throws -> WorkerResult {
        do {
            return try await completed()
        } catch let error where Task.isCancelled || error is CancellationError {
            await end(goesOn: goesOn(after: context.stopReason))
            throw CancellationError()
        } catch {
            let failure = failure(of: error)
            var goesOn = failure.isRetryable && !Self.isSpoiled(after: error) && !services.isLastAttempt
            if goesOn {
                do {
                    try await mark()
                } catch  where Self.isSpoiled(after: error) {
                    goesOn = false
                } catch {
                    // The next attempt goes on at an earlier mark.
                }
            }
            await end(goesOn: goesOn)
            return failure.workerResult
        }
    }

    /// Work that was cancelled or is too late does not run again. After its other stops it does, unless a timeout has
    /// ended its last attempt.
    private func goesOn(after reason: StopReason?) -> Bool {
        switch reason {
        case .cancelled, .deadline: false
        case .timeout: !services.isLastAttempt
        case .shutdown, .constraintLost, .expired, nil: true
        }
    }

    /// After an error of the disk it is not known what of the file is there: what was written may be lost although a later
    /// sync succeeds. On a full disk the space is given back.
    private static func isSpoiled(after error: any Error) -> Bool {
        guard let error = error as? FileError else { return false }
        return ![EMFILE, ENFILE, ENOMEM, ENOBUFS, EINTR, EAGAIN, EBUSY].contains(error.code)
    }

    private func end(goesOn: Bool) async {
        if goesOn, plan.isResumable, reception.isWorthKeeping { await file.leave() } else { await discard() }
    }

    private func completed() async throws -> WorkerResult {
        let saved = DownloadCheckpoint(json: context.checkpoint)
        if let move = saved?.move, let result = try await finished(move, isNew: false) { return result }
        if let existing = try await file.existingTarget(), plan.onDuplicate == .skip {
            return try await skipped(existing)
        }
        try await files.add(
            file.path, of: key, allowedDirectories: FileRules(services.securityPolicy).allowedDirectories)
        guard let found = try await file.acquire() else {
            return .snooze(
                for: .seconds(1), reason: "an earlier run of this work has not let go of \(file.path.printable) yet")
        }
        var start = DownloadStart.beginning
        if plan.isResumable, let saved { start = saved.start(of: source, in: found, boot: boot) }
        var (isSplit, beginnings) = (plan.connections > 1, 0)
        while true {
            do {
                beginnings += 1
                let head = try await receive(from: start, splitting: isSplit)
                return try await finished(await finish(head))
            } catch is ChangedFileError where beginnings < Self.mostBeginnings {
                (start, isSplit) = (.beginning, false)
            }
        }
    }

    // MARK: The complete file

    /// Checks the received file, gives it its permissions, and stores that it is being moved.
    private func finish(_ head: HTTPResponseHead?) async throws -> FileMove {
        let bytes = await file.length
        // Somebody else has written to it.
        guard bytes == reception.bytes else { throw ChangedFileError() }
        if let expected = plan.checksum {
            while try await !file.digestMore(upTo: bytes) { try Task.checkCancellation() }
            let found = try await file.finishDigest() ?? ""
            guard found == expected.hex else {
                throw TransferFailure.wrongChecksum(
                    found, expected: expected, bytes: bytes, contentType: head?.headers["Content-Type"], url)
            }
        }
        reception.report()
        try await file.setMode(plan.fileMode?.bits, probing: files.directory)
        try await file.synchronize()
        try Task.checkCancellation()
        let move = try await file.move(
            plan.onDuplicate.collision, particulars: output(head, bytes: bytes).encoded(),
            mode: plan.fileMode?.bits)
        try await store(move)
        return move
    }

    private func output(_ head: HTTPResponseHead?, bytes: Int64) -> DownloadOutput {
        guard let head else { return DownloadOutput(savePath: plan.path, bytes: bytes) }
        var details = TransferDetails()
        details.headers = head.headers.kept
        details.requests = sentRequests.load(ordering: .relaxed)
        details.durationMs = (services.clock.uptime - began).milliseconds
        return DownloadOutput(
            savePath: plan.path, bytes: bytes, statusCode: head.status, finalURL: head.url,
            details: requests.secrets.hidden(in: details))
    }

    private func store(_ move: FileMove) async throws {
        var checkpoint = DownloadCheckpoint(
            source: source, inode: move.identity.inode, entity: reception.entity, boot: boot)
        checkpoint.move = move
        try await save(checkpoint)
    }

    private func finished(_ move: FileMove) async throws -> WorkerResult {
        guard let result = try await finished(move, isNew: true) else {
            throw TransferFailure(
                kind: .disk, message: "\(move.temporaryPath.printable), which was complete, has disappeared.",
                isRetryable: true)
        }
        return result
    }

    /// Moves the complete file, or finds out that this was done; `nil` if it is neither there nor in its place.
    private func finished(_ move: FileMove, isNew: Bool) async throws -> WorkerResult? {
        var move = move
        if !isNew, let found = try await file.found(), !found.isStill(move.identity) { return nil }
        while true {
            switch try await files.mover.place(move) {
            case .moved:
                await file.leave()
                await files.forget(key)
                let reason =
                    move.targetPath == move.wantedPath ? "" : ", because \(move.wantedPath.printable) was taken"
                return .success(
                    message: "saved to \(move.targetPath.printable)\(reason)",
                    outputJSON: try DownloadOutput.text(of: move, isSkipped: false))
            case .nameTaken where move.collision == .nextName:
                move = try await files.mover.redirected(move)
                // Before the move, so that the next run looks for the file in the right place.
                try await store(move)
            case .nameTaken:
                let output = try DownloadOutput.text(of: move, isSkipped: true)
                await discard()
                return .success(
                    message:
                        "skipped: a file was put at \(move.targetPath.printable) while this one was on its way; that one "
                        + "stays, and this one was discarded",
                    outputJSON: output)
            case .replacedSince, .removedSince, .onOtherVolume, .lost: return nil
            }
        }
    }

    private func skipped(_ existing: FileIdentity) async throws -> WorkerResult {
        // Of an earlier run.
        await discard()
        var output = DownloadOutput(savePath: plan.path, bytes: existing.bytes)
        output.skipped = true
        return .success(
            message: "skipped: \(plan.path.printable) already exists, so nothing was downloaded",
            outputJSON: try output.encoded())
    }

    /// What cannot be removed now is removed when the work has ended.
    private func discard() async { if await file.discard() { await files.forget(key) } }

    private func failure(of error: any Error) -> TransferFailure {
        switch error {
        case let failure as TransferFailure: failure
        case let error as HTTPError: TransferFailure(error)
        case is ChangedFileError:
            TransferFailure(
                kind: .truncated,
                message: "\(url.label): the file changes on the server all the time. Try again later.",
                isRetryable: true)
        case let error as FileError:
            TransferFailure(
                kind: .disk, message: "\(url.label): \(error)".printable,
                isRetryable: error.isOutOfSpace || error.isTransient)
        default:
            TransferFailure(kind: .disk, message: "\(url.label): \(error)".printable, isRetryable: !isFinal(error))
        }
    }

    private func isFinal(_ error: any Error) -> Bool {
        error is RefusedPathError || error is VolumeGoneError || error is DigestError
    }
}

/// The server has another file than before, or does not answer for parts of it as it should: it has to be fetched from
/// the beginning, over one connection.
struct ChangedFileError: Error {}
