import BackgroundWorkModel
import BackgroundWorkTransfers

/// The sessions' tasks: created, found again, and replaced when they are lost.
extension URLSessionTransferService {
    /// For how long a task that is not listed may still report its end, after its session was created again.
    private static let settling = Duration.seconds(10)

    /// The session; its tasks have been matched with the journal.
    func session(_ identifier: String) async -> any BackgroundSession {
        if let known = sessions[identifier] { return await known.value }
        let attaching = Task { await attach(identifier) }
        sessions[identifier] = attaching
        return await attaching.value
    }

    private func attach(_ identifier: String) async -> any BackgroundSession {
        backlog.created(identifier, at: clock.uptime)
        let session = provider.session(identifier, of: store, receiver: self)
        let listed = await withCheckedContinuation { continuation in
            session.allTasks { continuation.resume(returning: $0) }
        }
        for task in listed { match(task, in: identifier) }
        for transfer in transfers.values where transfer.session == identifier {
            switch transfer.state {
            case .received: check(transfer)
            case .active where tasks[transfer.reference] == nil && !ending.contains(transfer.reference):
                unaccounted[identifier, default: []].insert(transfer.reference)
            // Recorded as paused by a process that ended before it could suspend the task.
            case .active where transfer.isPaused: hold(transfer)
            case .active: start(transfer)
            case .reserved, .finished: break
            }
        }
        if provider.outlivesProcess {
            Task {
                try? await clock.sleep(for: Self.settling)
                await replaceLost(in: session, identifier)
            }
        } else {
            await replaceLost(in: session, identifier)
        }
        return session
    }

    /// Finds the transfer of a task. A task without one was created by a process that ended before it could record it,
    /// or was cancelled; or the journal was lost, and the state file has its entry.
    private func match(_ task: any BackgroundSessionTask, in session: String) {
        guard var label = TaskLabel(task.taskDescription) else {
            _ = adopt(task) { $0.sessionIdentifier == session }
            return
        }
        label.specification = label.specification.moved(by: folders)
        let reference = label.specification.reference
        let number = Int64(task.taskIdentifier)
        if let transfer = transfers[reference] {
            // Anything else is a task that was replaced.
            guard transfer.task == number, transfer.state == .reserved || transfer.state == .active else {
                return task.cancel()
            }
            tasks[reference] = task
            return
        }
        do {
            // Another directory's tasks are its own.
            guard reference.store == store else { return }
            let entry = try stateStore.entry(session: label.specification.sessionIdentifier, task: number)
            guard entry?.reference == reference else { return task.cancel() }
            try takeOver(task, label.specification)
        } catch {
            report("Transfer \(reference) was found without its record, which could not be made again: \(error)")
        }
    }

    /// Records a task that runs already.
    private func takeOver(_ task: any BackgroundSessionTask, _ specification: TransferSpecification) throws {
        let number = Int64(task.taskIdentifier)
        let row = try journal().journal.insert(specification, identifier: number, state: .active, startedAt: now)
        var transfer = SessionTransfer(
            number: row, identifier: number, task: number, specification: specification, state: .active)
        transfer.startedAt = now
        add(transfer)
        tasks[transfer.reference] = task
    }

    /// Takes over a download that the ancestor of this package has begun: it labels no tasks, and has left an entry in the
    /// state file. Returns whether there was one.
    func adopt(_ task: any BackgroundSessionTask, _ isIts: (TransferEntry) -> Bool) -> Bool {
        let number = Int64(task.taskIdentifier)
        guard task.taskDescription?.isEmpty ?? true, let request = task.originalRequest,
            let url = request.url?.absoluteString
        else { return false }
        do {
            let entry = try stateStore.entries().first {
                $0.taskIdentifier == number && $0.reference == nil && isIts($0)
            }
            guard let entry else { return false }
            // For when its task has to be made anew.
            var options = TransferOptions()
            options.headers = request.allHTTPHeaderFields ?? [:]
            options.stallTimeout = Duration(clamping: request.timeoutInterval)
            options.allowsCellularAccess = request.allowsCellularAccess
            let specification = TransferSpecification(
                reference: TaskLabel.adopted(entry, by: store), sessionIdentifier: entry.sessionIdentifier, url: url,
                options: options, securityPolicy: .publicInternet, savePath: entry.savePath,
                workerName: entry.workerName
            )
            task.taskDescription = try TaskLabel(specification).text()
            try takeOver(task, specification)
            return true
        } catch {
            report("The download of \(ShownURL.text(url)), which was begun earlier, cannot be taken over: \(error)")
            return false
        }
    }

    /// Begins anew what no longer has a task: the system has lost it, or the user has ended the app.
    func replaceLost(in session: any BackgroundSession, _ identifier: String) async {
        if isReplaced { return }
        for reference in unaccounted.removeValue(forKey: identifier) ?? [] {
            guard let transfer = transfers[reference], transfer.state == .active, tasks[reference] == nil else {
                continue
            }
            await tryAgain(transfer, transfer.resumeData, in: session)
        }
    }

    // MARK: - New tasks

    /// Creates a suspended task, and records it.
    func insert(
        _ specification: TransferSpecification, in session: any BackgroundSession
    ) async throws -> SessionTransfer {
        let token = if case .download(let job) = specification.job { job.resumeToken } else { nil as String? }
        let resumeData = token.flatMap { Data(base64Encoded: $0) }
        var task = try await makeTask(specification, resuming: resumeData, in: session)
        // The state file knows transfers by their sessions and numbers. A session may begin again with low ones.
        while try isTaken(Int64(task.taskIdentifier), in: specification.sessionIdentifier) {
            let next = try await makeTask(specification, resuming: resumeData, in: session)
            task.cancel()
            task = next
        }
        // Reserved by another call in the meantime.
        if let known = transfers[specification.reference] {
            task.cancel()
            return known
        }
        let number = Int64(task.taskIdentifier)
        do {
            let row = try journal().journal.insert(
                specification, identifier: number, state: .reserved, startedAt: nil)
            var transfer = SessionTransfer(
                number: row, identifier: number, task: number, specification: specification, state: .reserved)
            if resumeData != nil {
                transfer.resumeData = resumeData
                try journal().journal.update(transfer)
            }
            add(transfer)
            tasks[specification.reference] = task
            return transfer
        } catch {
            task.cancel()
            throw AgentFailure(
                code: .storage, message: "Transfer \(specification.reference) could not be recorded: \(error)")
        }
    }

    /// Gives a transfer another task: from what was received so far, if that can be continued. One that has got another
    /// task in the meantime, or has ended, is left as it is, and returned so.
    func renew(_ transfer: inout SessionTransfer, in session: any BackgroundSession) async throws {
        let task = try await makeTask(transfer.specification, resuming: transfer.resumeData, in: session)
        // It may have been cancelled, paused or resumed while its body was written.
        if let current = transfers[transfer.reference], current.number == transfer.number {
            guard current.task == transfer.task, current.state == .reserved || current.state == .active else {
                transfer = current
                return task.cancel()
            }
            (transfer.isPaused, transfer.state) = (current.isPaused, current.state)
            transfer.startedAt = current.startedAt
        }
        transfer.task = Int64(task.taskIdentifier)
        // A session may begin again with low numbers.
        if transfer.stoppedTask == transfer.task { transfer.stoppedTask = nil }
        do { try save(transfer) } catch {
            task.cancel()
            throw error
        }
        tasks[transfer.reference] = task
    }

    /// Throws ``DestinationCheck/Refused`` for what the security policy forbids.
    private func makeTask(
        _ specification: TransferSpecification, resuming data: Data?, in session: any BackgroundSession
    ) async throws -> any BackgroundSessionTask {
        try await DestinationCheck(resolver: resolver).check(specification)
        let task: any BackgroundSessionTask
        switch specification.job {
        case .download(let job):
            task = try data.map(session.download(resuming:)) ?? session.download(TransferRequest.make(specification))
            task.countOfBytesClientExpectsToSend = 0
            if let most = job.maxBytes { task.countOfBytesClientExpectsToReceive = most }
        case .upload(let job):
            let multipart = try await journal().staging.multipart(job, of: specification.reference)
            let request = try TransferRequest.make(specification, contentType: multipart?.type)
            task = session.upload(request, fromFile: URL(filePath: multipart?.file ?? job.source.path))
            task.countOfBytesClientExpectsToSend = job.source.bytes
        }
        // Before it can run: a task without its label has no owner.
        task.taskDescription = try TaskLabel(specification).text()
        task.earliestBeginDate = specification.options.earliestBegin
        task.priority = Self.priority(specification.options.priority)
        return task
    }

    private static func priority(_ priority: WorkPriority) -> Float {
        switch priority {
        case .low: 0.25
        case .normal: 0.5
        case .high: 0.75
        case .critical: 1
        }
    }

    // MARK: - Starting

    /// Lets the task of an active transfer run, now or when its time comes.
    func start(_ transfer: SessionTransfer) {
        guard !transfer.isPaused, !isReplaced, let task = tasks[transfer.reference] else { return }
        // Its completion makes another one.
        if task.state == .canceling { return }
        watchDeadline(of: transfer)
        let begin = [transfer.nextAttempt?.date, transfer.specification.options.earliestBegin].compactMap(\.self).max()
        guard let begin, begin > clock.now else { return task.resume() }
        if provider.outlivesProcess {
            // The system waits, also when this process is no longer running.
            task.earliestBeginDate = begin
            return task.resume()
        }
        let reference = transfer.reference
        let wait = Duration.seconds(begin.timeIntervalSince(clock.now))
        Task {
            try? await clock.sleep(for: wait)
            startIfDue(reference, task)
        }
    }

    private func startIfDue(_ reference: TransferReference, _ task: any BackgroundSessionTask) {
        guard let transfer = transfers[reference], transfer.state == .active, tasks[reference] === task else { return }
        start(transfer)
    }

    private func watchDeadline(of transfer: SessionTransfer) {
        guard timers[transfer.reference] == nil, let started = transfer.startedAt else { return }
        let limit = started.advanced(byMs: longest(transfer).milliseconds)
        let reference = transfer.reference
        timers[reference] = Task {
            do { try await clock.sleep(for: .milliseconds(limit.milliseconds - now.milliseconds)) } catch { return }
            deadlinePassed(reference)
        }
    }

    private func deadlinePassed(_ reference: TransferReference) {
        guard let transfer = transfers[reference], transfer.state == .active, !isReplaced else { return }
        tasks.removeValue(forKey: reference)?.cancel()
        let limit = longest(transfer).milliseconds
        finish(transfer, .failed(.tooLate(afterMs: limit, transfer.specification.labeledURL)))
    }

    /// Its session may give it less time than it asks for.
    private func longest(_ transfer: SessionTransfer) -> Duration {
        min(transfer.specification.options.resourceTimeout, options.resourceTimeout)
    }
}
