import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkTransfers

/// What the tasks report, on their session's queue. It waits for this service's, so that each event is recorded before
/// the next one comes.
extension URLSessionTransferService: BackgroundSessionReceiver {
    /// `nil` when this service is replaced: it may have ended, so its queue is not waited for.
    @discardableResult
    private nonisolated func isolated<Value: Sendable>(
        _ body: @Sendable (isolated URLSessionTransferService) -> Value
    ) -> Value? {
        if isReplaced { return nil }
        return executor.holdable.sync { assumeIsolated(body) }
    }

    package nonisolated func task(_ task: any BackgroundSessionTask, hasTransferred bytes: Int64, of total: Int64) {
        isolated { $0.moved(task, bytes, total < 0 ? nil : total) }
    }

    package nonisolated func task(_ task: any BackgroundSessionTask, finishedDownloadingTo location: URL) {
        isolated { $0.arrived(task, at: location.path(percentEncoded: false)) }
    }

    package nonisolated func task(_ task: any BackgroundSessionTask, received data: Data) {
        isolated { $0.answered(task, data) }
    }

    package nonisolated func task(_ task: any BackgroundSessionTask, completedWith error: (any Error)?) {
        let error = error.map { $0 as NSError }
        isolated { $0.completed(task, error) }
    }

    package nonisolated func task(
        _ task: any BackgroundSessionTask, redirectedTo request: URLRequest
    ) -> URLRequest? { isolated { $0.redirected(task, to: request) } ?? nil }

    package nonisolated func task(
        _ task: any BackgroundSessionTask, received challenge: URLAuthenticationChallenge
    ) -> ChallengeAnswer {
        let space = challenge.protectionSpace
        if SessionTLS.isAsked(in: space) {
            // One that is not known has its options in its label.
            let known = isolated { $0.specification(of: task) } ?? TaskLabel(task.taskDescription)?.specification
            guard let specification = known else { return .byDefault }
            // On this queue: reading files and judging a certificate take their time.
            let answer = specification.answer(to: challenge)
            if case .refuse(let reason) = answer { isolated { $0.refuse(task, reason) } }
            return answer.answer
        }
        guard challenge.asksForPassword else { return .byDefault }
        let specification = isolated { $0.transfer(of: task)?.specification } ?? nil
        return specification?.credential(for: challenge).map(ChallengeAnswer.use) ?? .byDefault
    }

    package nonisolated func finishedEvents(ofSession identifier: String) {
        isolated { $0.told(identifier) }
    }

    // MARK: - Each event

    /// The task will complete, and has failed already.
    private func reject(_ task: any BackgroundSessionTask, _ transfer: SessionTransfer, _ failure: TransferFailure) {
        guard transfer.task == Int64(task.taskIdentifier) else { return }
        rejections[transfer.reference] = failure
    }

    /// The transfer of a task; `nil` when it was cancelled or replaced, or the task is somebody else's.
    private func transfer(of task: any BackgroundSessionTask) -> SessionTransfer? {
        // Without a label it may be one that ended while no process was running, so that it was not listed.
        if TaskLabel.reference(in: task.taskDescription) == nil, !adopt(task, { _ in true }) { return nil }
        guard let reference = TaskLabel.reference(in: task.taskDescription),
            let transfer = transfers[reference]
        else { return nil }
        // What a replaced task reports says nothing of the current one.
        if transfer.task == Int64(task.taskIdentifier) { unaccounted[transfer.session]?.remove(reference) }
        return transfer
    }

    private func moved(_ task: any BackgroundSessionTask, _ bytes: Int64, _ total: Int64?) {
        guard let transfer = transfer(of: task), transfer.state == .active else { return }
        var count = counts[transfer.reference] ?? TransferCount()
        if count.first == nil { count.first = bytes }
        (count.bytes, count.total) = (bytes, total)
        counts[transfer.reference] = count
        // A page of words about an error may be longer.
        if case .download(let job) = transfer.specification.job, let most = job.maxBytes, max(bytes, total ?? 0) > most,
            ReceivedResponse(task.response)?.hasFile ?? false
        {
            reject(
                task, transfer, .tooLong(limit: most, promised: total, transfer.specification.labeledURL))
            return task.cancel()
        }
        if count.isToldSoon { return }
        counts[transfer.reference]?.isToldSoon = true
        let wait = count.toldAt.map { $0 + Self.betweenReports - clock.uptime } ?? .zero
        Task {
            if wait > .zero { try? await clock.sleep(for: wait) }
            tellProgress(of: transfer.reference)
        }
    }

    /// Progress is reported at most this often, and the newest always is.
    private static let betweenReports = Duration.milliseconds(100)

    private func tellProgress(of reference: TransferReference) {
        guard let transfer = transfers[reference], counts[reference] != nil else { return }
        counts[reference]?.isToldSoon = false
        guard standing == .told, transfer.state == .active else { return }
        counts[reference]?.toldAt = clock.uptime
        receiver?.receive([TransferProgress(snapshot(transfer))])
    }

    /// The file must be taken before this returns.
    private func arrived(_ task: any BackgroundSessionTask, at path: String) {
        guard var transfer = transfer(of: task), transfer.state == .active,
            case .download(let job) = transfer.specification.job, let response = ReceivedResponse(task.response),
            response.hasFile
        else { return }
        do {
            // Taken already, by a process that ended before it could record that.
            guard let bytes = try FileIdentity.found(at: path)?.bytes else { return }
            if let most = job.maxBytes, bytes > most {
                reject(
                    task, transfer, .tooLong(limit: most, promised: bytes, transfer.specification.labeledURL))
                return
            }
            try journal().staging.take(path, as: transfer.number)
            transfer.state = .received
            transfer.response = response
            try save(transfer)
        } catch {
            reject(
                task, transfer,
                .made(.disk, "the received file could not be kept: \(error)", true, transfer.specification))
        }
    }

    private func answered(_ task: any BackgroundSessionTask, _ data: Data) {
        guard let transfer = transfer(of: task), transfer.specification.job.isUpload else { return }
        let known = answers[transfer.reference] ?? Data()
        answers[transfer.reference] = known + data.prefix(max(0, Self.longestAnswer - known.count))
    }

    /// How much of the answer to an upload is kept, in bytes.
    private static let longestAnswer = 65_536

    private func told(_ identifier: String) {
        Task {
            await replaceLost(in: session(identifier), identifier)
            backlog.told(identifier)
        }
    }

    private func completed(_ task: any BackgroundSessionTask, _ error: NSError?) {
        guard let transfer = transfer(of: task) else { return }
        if transfer.state == .received { return check(transfer) }
        guard transfer.state == .active, transfer.task == Int64(task.taskIdentifier) else { return }
        tasks[transfer.reference] = nil
        ending.insert(transfer.reference)
        let response = ReceivedResponse(task.response)
        backlog.begin(in: transfer.session)
        Task {
            await ended(transfer, response: response, error: error)
            ending.remove(transfer.reference)
            backlog.end(transfer.reference, in: transfer.session)
        }
    }

    private func redirected(_ task: any BackgroundSessionTask, to request: URLRequest) -> URLRequest? {
        guard let transfer = transfer(of: task), let url = request.url?.absoluteString else { return nil }
        let policy = transfer.specification.securityPolicy
        if let refusal = policy.refusal(of: URLDestination(url: url)) {
            reject(task, transfer, .refusedAddress(refusal, redirects: 1, transfer.specification.labeledURL))
            task.cancel()
            return nil
        }
        return RedirectRules.request(request, from: transfer.specification)
    }

    private func specification(of task: any BackgroundSessionTask) -> TransferSpecification? {
        transfer(of: task)?.specification ?? TaskLabel(task.taskDescription)?.specification
    }

    /// The task fails because of its transfer's TLS options.
    private func refuse(_ task: any BackgroundSessionTask, _ reason: String) {
        guard let transfer = transfer(of: task) else { return }
        reject(task, transfer, .made(.network, reason, false, transfer.specification))
    }
}
