import BackgroundWorkModel
import BackgroundWorkTransfers

/// The attempts of a transfer, and their results.
extension TransferEngine {
    func beginAttempt(of transfer: Transfer) {
        transfer.stage = .running
        transfer.attempts += 1
        transfer.bytesAtAttempt = transfer.work.bytes
        do throws(TransferFailure) {
            try transfer.work.begin(
                AttemptSetting(address: transfer.address, url: transfer.url, token: transfer.currentToken))
            progress.changed(transfer.task)
        } catch {
            attemptEnded(transfer, .failed(AttemptFailure(failure: error)))
        }
    }

    func attemptEnded(_ transfer: Transfer, _ end: AttemptEnd) {
        switch end {
        case .complete(let status, let finalURL, let headers, let body):
            transfer.hasRefreshed = false
            complete(transfer, status: status, finalURL: finalURL, headers: headers, body: body)
        case .failed(let failure):
            if failure.failure.statusCode == 401, let refresh = transfer.options.tokenRefresh, !transfer.hasRefreshed {
                return fetchToken(for: transfer, refresh, refused: failure)
            }
            if failure.failure.statusCode != 401 { transfer.hasRefreshed = false }
            transfer.stage = .held
            leavePlace(transfer)
            if failure.isConnectionLoss, !failure.wasLoopback { return holdForNetwork(transfer, failure) }
            settle(transfer, failure)
        }
    }

    // MARK: Tokens

    private func fetchToken(for transfer: Transfer, _ refresh: TokenRefresh, refused: AttemptFailure) {
        AgentLog.write("\(transfer.name): the server rejected its token; fetching another")
        transfer.hasRefreshed = true
        let request = TokenRequest(refresh) { [weak self, weak transfer] result in
            if let self, let transfer { self.tokenCame(result, for: transfer, refused: refused) }
        }
        transfer.stage = .refreshing(request)
        do throws(TransferFailure) {
            try request.begin(for: transfer.specification, on: context.exchanges)
        } catch {
            tokenCame(.failure(error), for: transfer, refused: refused)
        }
    }

    private func tokenCame(
        _ result: Result<String, TransferFailure>, for transfer: Transfer, refused: AttemptFailure
    ) {
        switch result {
        case .success(let token):
            transfer.token = token
            beginAttempt(of: transfer)
        case .failure(let failure):
            var refused = refused
            refused.failure.message += " No new token could be fetched: \(failure.message)"
            // A later request to the token endpoint may succeed.
            refused.failure.isRetryable = failure.isRetryable
            transfer.hasRefreshed = false
            transfer.stage = .held
            leavePlace(transfer)
            settle(transfer, refused)
        }
    }

    // MARK: After a failure

    /// Schedules a retry, switches to the next mirror, or fails the transfer.
    func settle(_ transfer: Transfer, _ end: AttemptFailure) {
        var end = end
        end.failure = transfer.secrets.hidden(in: end.failure)
        if transfer.work.bytes - transfer.bytesAtAttempt >= AttemptRules.progressBytes { transfer.failures = 0 }
        transfer.failures += 1
        let policy = transfer.options.retry
        let rules = AttemptRules(policy: policy, mirrorsLeft: transfer.mirrorsLeft)
        switch rules.decide(end.failure, attempt: transfer.failures, random: random()) {
        case .retry(let afterMs):
            AgentLog.write(
                "\(transfer.name): attempt \(transfer.failures) of \(policy.maximumAttempts) failed, the next in "
                    + "\(afterMs) ms: \(end.failure.message)")
            transfer.hold.nextAttempt = now.advanced(byMs: afterMs)
            recordAttempt(of: transfer)
            reconsider(transfer)
        case .nextMirror:
            AgentLog.write("\(transfer.name): switching to the next mirror: \(end.failure.message)")
            transfer.mirrorFailures.add(end.failure.counted(transfer.failures, under: policy))
            transfer.mirror += 1
            transfer.failures = 0
            do throws(TransferFailure) {
                try transfer.work.startOver()
                recordAttempt(of: transfer)
                reconsider(transfer)
            } catch {
                conclude(transfer, with: .failed(error), headers: end.headers)
            }
        case .fail:
            let failure = end.failure.counted(transfer.failures, under: policy)
            conclude(transfer, with: .failed(failure), headers: end.headers)
        }
    }

    /// Recorded so that a restart of the agent or the machine does not shorten the wait or reset the count of attempts.
    private func recordAttempt(of transfer: Transfer) {
        let record = AttemptRecord(
            failures: transfer.failures, nextAttempt: transfer.hold.nextAttempt, mirror: transfer.mirror,
            mirrorFailures: transfer.mirrorFailures)
        let task = transfer.task
        context.staging.submit(write: { try $0.recordAttempt(record, task: task) }) { result in
            guard case .failure(let error) = result else { return }
            AgentLog.write("transfer \(task): its failed attempt could not be recorded: \(error)")
        }
    }
}

extension TransferFailure {
    /// With the number of the attempt, where there may be several.
    fileprivate func counted(_ attempt: Int, under policy: RetryPolicy) -> TransferFailure {
        guard isRetryable, policy.maximumAttempts > 1, kind != .disk else { return self }
        var failure = self
        failure.message += " That was attempt \(attempt) of \(policy.maximumAttempts)."
        return failure
    }
}

extension Transfer {
    /// The token to write into the Authorization header, if any.
    fileprivate var currentToken: String? {
        if let token { return token }
        if case .bearer(let token) = options.authentication { return token }
        return nil
    }
}
