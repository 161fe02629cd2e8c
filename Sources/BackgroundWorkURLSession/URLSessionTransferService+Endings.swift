import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkTransfers

/// How transfers end, or are tried again.
extension URLSessionTransferService {
    /// A task has completed without a file.
    func ended(_ transfer: SessionTransfer, response: ReceivedResponse?, error: NSError?) async {
        let session = await session(transfer.session)
        // From here to the next task nothing else of a download happens.
        guard let current = transfers[transfer.reference], current.state == .active, current.task == transfer.task
        else { return }
        let specification = current.specification
        if let rejection = rejections.removeValue(forKey: current.reference) {
            return await failed(current, rejection, resumeData: nil, in: session)
        }
        if let error {
            if error.isForceQuit || error.isStop(of: current) {
                // One that has not begun again can still be continued from where it was.
                return await tryAgain(current, error.resumeData ?? current.resumeData, in: session)
            }
            if current.resumeData != nil, error.resumeData == nil, error.isAboutFile {
                // What it was to continue is gone. Once more, from the beginning.
                return await tryAgain(current, nil, in: session)
            }
            return await failed(
                current, .loading(error, of: specification), resumeData: error.resumeData ?? current.keptData,
                in: session)
        }
        guard let response else {
            return await failed(
                current, .made(.network, "the answer is not HTTP. Try again.", true, specification), resumeData: nil,
                in: session)
        }
        if specification.job.isUpload, (200...299).contains(response.statusCode) {
            return sent(current, response)
        }
        if !specification.job.isUpload, response.hasFile { return await fileIsMissing(current, in: session) }
        let failure = TransferFailure.status(
            response.statusCode, retryAfter: response.headers["retry-after"], now: now, specification.labeledURL)
        if !failure.isRetryable, current.resumeData != nil {
            // It was the request of an earlier attempt, whose credentials may be outdated.
            return await tryAgain(current, nil, in: session)
        }
        await failed(current, failure, resumeData: nil, in: session)
    }

    /// A process that ended while it took the file has left none for this one. Without such an end there is no reason
    /// for it, so it is fetched again at once only one time.
    private func fileIsMissing(_ transfer: SessionTransfer, in session: any BackgroundSession) async {
        if fetchedAgain.insert(transfer.reference).inserted {
            return await tryAgain(transfer, nil, in: session)
        }
        let failure = TransferFailure.made(
            .disk, "the received file was not there. Try again.", true, transfer.specification)
        await failed(transfer, failure, resumeData: nil, in: session)
    }

    private func sent(_ transfer: SessionTransfer, _ response: ReceivedResponse) {
        guard case .upload(let job) = transfer.specification.job else { return }
        // One that is no longer there has not changed: the app may have another container since then.
        if let found = UploadSource.found(at: job.source.path), found != job.source {
            let failure = TransferFailure.made(
                .sourceChanged, "\(job.source.path) changed while it was sent. Enqueue the upload again.", false,
                transfer.specification)
            return finish(transfer, .failed(failure))
        }
        var answered = transfer
        answered.response = response
        finish(
            answered,
            .uploaded(bytes: job.source.bytes, statusCode: response.statusCode, finalURL: response.url))
    }

    /// Tries again as the transfer's policy says, or ends it.
    private func failed(
        _ transfer: SessionTransfer, _ failure: TransferFailure, resumeData: Data?, in session: any BackgroundSession
    ) async {
        var transfer = transfer
        if counts[transfer.reference]?.moved ?? 0 >= AttemptRules.progressBytes { transfer.failures = 0 }
        transfer.failures += 1
        let rules = AttemptRules(policy: transfer.specification.options.retry, mirrorsLeft: 0)
        guard case .retry(let wait) = rules.decide(failure, attempt: transfer.failures, random: random()) else {
            var failure = failure
            if let resumeData, resumeData.count <= Self.longestToken {
                failure.resumeToken = ResumeToken(resumeData.base64EncodedString(), of: transfer.specification.url)
            }
            return finish(transfer, .failed(failure))
        }
        transfer.nextAttempt = now.advanced(byMs: wait)
        await tryAgain(transfer, resumeData, in: session)
    }

    /// How much data to resume from is kept with the work, in bytes. Apple's has a few kilobytes.
    private static let longestToken = 65_536

    /// Gives a transfer another task, and lets it run when its time comes.
    func tryAgain(_ transfer: SessionTransfer, _ resumeData: Data?, in session: any BackgroundSession) async {
        if isReplaced { return }
        var transfer = transfer
        // What the attempt before has moved and been answered does not count for the next one.
        counts[transfer.reference]?.first = nil
        answers[transfer.reference] = nil
        if case .download(let job) = transfer.specification.job, job.isResumable {
            transfer.resumeData = resumeData
        }
        transfer.requests += 1
        do {
            try await renew(&transfer, in: session)
            start(transfer)
        } catch {
            // Cancelled in the meantime.
            guard transfers[transfer.reference]?.number == transfer.number else { return }
            if let refused = error as? DestinationCheck.Refused { return finish(transfer, .failed(refused.failure)) }
            report("Transfer \(transfer.reference) is tried again in a minute: \(error)")
            Task {
                try? await clock.sleep(for: .seconds(60))
                guard let current = transfers[transfer.reference], current.number == transfer.number,
                    current.state == .active, tasks[transfer.reference] == nil, !isReplaced
                else { return }
                await tryAgain(current, current.keptData ?? resumeData, in: session)
            }
        }
    }

    /// Checks a file that has been received, off the sessions' queues, and ends its transfer.
    func check(_ transfer: SessionTransfer) {
        // A task that was replaced may have brought the file.
        tasks.removeValue(forKey: transfer.reference)?.cancel()
        backlog.begin(in: transfer.session)
        Task {
            await checked(transfer)
            backlog.end(transfer.reference, in: transfer.session)
        }
    }

    private func checked(_ transfer: SessionTransfer) async {
        guard transfers[transfer.reference]?.state == .received, case .download(let job) = transfer.specification.job,
            let response = transfer.response, let staging = try? journal().staging
        else { return }
        let path = staging.file(of: transfer.number)
        do {
            guard let bytes = try FileIdentity.found(at: path)?.bytes else {
                throw FileError.missing(path)
            }
            if let expected = job.checksum {
                let found = try await StagingArea.digest(expected.algorithm.digest, ofFileAt: path)
                guard found == expected.hex.lowercased() else {
                    DurableFile.remove(path)
                    return finish(
                        transfer,
                        .failed(
                            .wrongChecksum(
                                found, expected: expected, bytes: bytes,
                                contentType: response.headers["content-type"], transfer.specification.labeledURL)))
                }
            }
            finish(
                transfer,
                .delivered(
                    stagingPath: path, bytes: bytes, statusCode: response.statusCode, finalURL: response.url))
        } catch {
            finish(
                transfer,
                .failed(
                    .made(.disk, "the received file could not be checked: \(error)", true, transfer.specification)))
        }
    }

    /// Records how a transfer ended, and delivers it. Nothing is told that is not recorded: when the journal cannot be
    /// written, this is tried again.
    func finish(_ transfer: SessionTransfer, _ result: TransferOutcome.Result) {
        guard transfers[transfer.reference].map({ $0.state != .finished }) ?? false else { return }
        let ended = transfer.ended(with: outcome(of: transfer, result))
        do {
            try save(ended)
        } catch {
            report("The end of transfer \(transfer.reference) is recorded later: \(error)")
            Task {
                try? await clock.sleep(for: .seconds(1))
                finish(transfer, result)
            }
            return
        }
        removeSecrets(of: transfer)
        tasks[transfer.reference] = nil
        forgetProgress(of: transfer.reference)
        deliver(ended)
        backlog.settled(transfer.reference, in: transfer.session)
    }

    private func outcome(of transfer: SessionTransfer, _ result: TransferOutcome.Result) -> TransferOutcome {
        let specification = transfer.specification
        var details = TransferDetails()
        details.durationMs = max(0, transfer.startedAt.map { now.milliseconds - $0.milliseconds } ?? 0)
        details.requests = max(1, transfer.requests)
        details.headers = transfer.response?.headers ?? [:]
        if case .download(let job) = specification.job {
            details.add(job, under: specification.securityPolicy)
            if job.savesIntoFolder, case .delivered(_, _, _, let url) = result {
                details.suggestedName = SuggestedFileName.name(
                    contentDisposition: details.headers["content-disposition"], url: url,
                    without: KnownSecrets(of: specification))
            }
        } else {
            details.responseBody = answers[transfer.reference].map { String(decoding: $0, as: UTF8.self) }
        }
        return TransferOutcome(
            reference: transfer.reference, sessionIdentifier: transfer.session, taskIdentifier: transfer.identifier,
            savePath: specification.savePath, workerName: specification.workerName, result: result, details: details)
    }
}

extension NSError {
    /// From which a download that has failed or was cancelled can be continued.
    fileprivate var resumeData: Data? { userInfo["NSURLSessionDownloadTaskResumeData"] as? Data }

    /// The system could not use one of its own files.
    fileprivate var isAboutFile: Bool {
        domain == NSURLErrorDomain && (NSURLErrorCannotMoveFile...NSURLErrorCannotCreateFile).contains(code)
    }

    /// The user has ended the app, and the system its transfers. Other reasons may last, so they count as failures (https://developer.apple.com/documentation/foundation/nsurlerrorbackgroundtaskcancelledreasonkey).
    fileprivate var isForceQuit: Bool {
        code == NSURLErrorCancelled
            && cancelledReason == NSURLErrorCancelledReasonUserForceQuitApplication
    }

    private var cancelledReason: Int? { userInfo["NSURLErrorBackgroundTaskCancelledReasonKey"] as? Int }

    /// This package has stopped the task for a pause, which may be over. Nothing else that it cancels leaves data.
    fileprivate func isStop(of transfer: SessionTransfer) -> Bool {
        domain == NSURLErrorDomain && code == NSURLErrorCancelled && cancelledReason == nil
            && (transfer.stoppedTask == transfer.task || transfer.isPaused || resumeData != nil)
    }
}
