import BackgroundWorkExchange
import BackgroundWorkModel
import BackgroundWorkTransfers

/// The end of a transfer: checked, made durable, recorded, and only then delivered.
extension TransferEngine {
    func complete(_ transfer: Transfer, status: Int, finalURL: String, headers: ResponseHeaders, body: String?) {
        // With a wrong checksum other mirrors are tried, so the slot is released only now.
        leavePlace(transfer)
        transfer.stage = .ending
        progress.changed(transfer.task)
        let bytes = transfer.work.bytes
        let result: TransferOutcome.Result =
            transfer.specification.job.isUpload
            ? .uploaded(bytes: bytes, statusCode: status, finalURL: finalURL)
            : .delivered(
                stagingPath: context.paths.stagingFile(task: transfer.task), bytes: bytes, statusCode: status,
                finalURL: finalURL)
        guard let check = transfer.work.check else {
            return conclude(transfer, with: result, headers: headers, body: body)
        }
        let judge = { [weak self, weak transfer] (found: Result<String, any Error>) in
            guard let self, let transfer, self.transfers[transfer.task] === transfer else { return }
            switch found {
            case .success(check.expected.hex): self.conclude(transfer, with: result, headers: headers, body: body)
            case .success(let found):
                transfer.stage = .held
                let failure = TransferFailure.wrongChecksum(
                    found, expected: check.expected, bytes: bytes, contentType: headers["content-type"], transfer.url)
                self.settle(transfer, AttemptFailure(failure: failure, headers: headers))
            case .failure(let error):
                self.conclude(transfer, with: .failed(.unreadable(error, transfer.url)), headers: headers)
            }
        }
        switch check.found {
        case .known(let digest): judge(.success(digest))
        case .read(let read): context.staging.digest(read, then: judge)
        }
    }

    func conclude(
        _ transfer: Transfer, with result: TransferOutcome.Result, headers: ResponseHeaders?, body: String? = nil
    ) {
        leavePlace(transfer)
        transfer.stage = .ending
        var result = result
        if case .failed(var failure) = result {
            failure.message = transfer.mirrorFailures.message(endingWith: failure.message)
            result = .failed(failure)
        }
        let outcome = transfer.outcome(result, headers: headers, body: body, now: now)
        let rest = transfer.restToKeep
        let folder = StagingFolder(paths: context.paths)
        let isSuccess = if case .failed = result { false } else { true }
        context.staging.submit(
            syncing: isSuccess ? transfer.work.filesToSync : .none,
            write: { try $0.finish(outcome, keeping: rest) },
            cleanUp: { recorded in
                // No client uses an incomplete file, and it may be the one that fills the disk.
                if recorded != nil, !isSuccess { folder.delete(task: outcome.taskIdentifier) }
            },
            then: { [weak self, weak transfer] recorded in
                if let transfer { self?.concluded(transfer, outcome, recorded) }
            })
    }

    private func concluded(
        _ transfer: Transfer, _ outcome: TransferOutcome, _ recorded: Result<RecordedOutcome?, any Error>
    ) {
        switch recorded {
        case .success(let recorded):
            // If the transfer was cancelled before, its record is deleted and no client expects an outcome.
            guard transfers[transfer.task] === transfer else { return }
            progress.concluded(transfer, outcome)
            forget(transfer)
            guard let recorded else { return }
            switch outcome.result {
            case .delivered(_, let bytes, let status, _):
                AgentLog.write("\(transfer.name): \(transfer.url.label): delivered \(bytes) bytes, status \(status)")
            case .uploaded(let bytes, let status, _):
                AgentLog.write("\(transfer.name): \(transfer.url.label): uploaded \(bytes) bytes, status \(status)")
            case .failed(let failure):
                AgentLog.write("\(transfer.name): failed (\(failure.kind.rawValue)): \(failure.message)")
            }
            delivered(recorded)
        case .failure(let error as SystemCallError):
            conclude(transfer, with: .failed(.disk(error, transfer.url)), headers: nil)
        case .failure(let error):
            AgentLog.write("\(transfer.name): its outcome could not be recorded, trying again in 5 s: \(error)")
            context.timers.set(.recordAgain(task: transfer.task), at: .now + .seconds(5)) {
                [weak self, weak transfer] in
                guard let self, let transfer else { return }
                self.record(outcome, of: transfer)
            }
        }
    }

    private func record(_ outcome: TransferOutcome, of transfer: Transfer) {
        let rest = transfer.restToKeep
        context.staging.submit(write: { try $0.finish(outcome, keeping: rest) }) {
            [weak self, weak transfer] recorded in
            if let transfer { self?.concluded(transfer, outcome, recorded) }
        }
    }
}

extension Transfer {
    /// Its specification without secrets; `nil` if it has none.
    fileprivate var restToKeep: TransferSpecification? {
        let rest = specification.withoutSecrets
        return rest == specification ? nil : rest
    }

    /// Nothing in it is secret, also of what the server has said.
    fileprivate func outcome(
        _ result: TransferOutcome.Result, headers: ResponseHeaders?, body: String?, now: WallTime
    ) -> TransferOutcome {
        var details = TransferDetails()
        details.durationMs = max(0, now.milliseconds - startedAt.milliseconds)
        details.requests = max(1, attempts)
        details.headers = headers?.fields ?? [:]
        details.responseBody = body
        if case .download(let job) = specification.job {
            details.add(job, under: specification.securityPolicy)
            if job.savesIntoFolder, case .delivered(_, _, _, let finalURL) = result {
                details.suggestedName = SuggestedFileName.name(
                    contentDisposition: headers?["content-disposition"], url: finalURL, without: secrets)
            }
        }
        let outcome = TransferOutcome(
            reference: specification.reference, sessionIdentifier: specification.sessionIdentifier,
            taskIdentifier: task, savePath: specification.savePath, workerName: specification.workerName,
            result: result, details: details)
        return outcome.withoutSecrets(secrets)
    }
}
