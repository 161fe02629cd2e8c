import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkStorage

extension WorkScheduler {
    /// Stores a request to be run when its trigger says so. Durable when it returns.
    ///
    /// The worker's ``Worker/validate(input:under:)`` may refuse the input, and an input that does not decode is refused
    /// as well: the result is ``ScheduleResult/rejectedBySystem(reason:)`` then, and nothing is stored.
    ///
    /// Throws ``EnqueueError`` for a request that cannot be accepted, and the database's error when it could not be
    /// written; nothing was stored then.
    ///
    /// - Parameters:
    ///   - id: names the work: at most one unfinished item has it. Generated when left out.
    ///   - policy: what happens when unfinished work with this id exists.
    @discardableResult
    public func enqueue(
        _ request: TaskRequest, id: String? = nil, trigger: TaskTrigger = .oneTime(),
        policy: ExistingWorkPolicy = .replace
    ) async throws -> ScheduleResult {
        let now = WallTime(configuration.clock.now)
        try check(request, trigger, id: id, now: now)
        if let reason = runner.parts.validation.refusal(of: request, id: id) {
            return .rejectedBySystem(reason: reason)
        }
        let stamp = trigger.watchedPath == nil ? nil : await fileStamp(of: trigger)
        if lifecycle.isShutDown { throw EnqueueError.shuttingDown }
        let item = try store.item(
            request, trigger, id: id ?? WorkIdentifier.make(at: now.date), fileStamp: stamp, now: now)
        let answer = try await store.enqueue(item, policy, now: now)
        if let result = Self.result(answer, id: item.id) { return result }
        return try await untilThereIsRoom { [store] now in
            Self.result(try await store.enqueue(item, policy, now: now), id: item.id)
        }
    }

    /// Taken before the request is stored, and outside of any transaction: the inspection of a path may hang with its
    /// volume.
    private func fileStamp(of trigger: TaskTrigger) async -> String? {
        guard let path = trigger.watchedPath else { return nil }
        return await FileTriggers.stamp(of: path)
    }

    /// Stores many requests in one transaction: all of them, or none. Durable when it returns; the results are in the
    /// order of the submissions.
    ///
    /// If a worker refuses one of the inputs, each result is ``ScheduleResult/rejectedBySystem(reason:)``, with the reason
    /// for the first that is refused. Throws ``EnqueueError/inSubmission(index:_:)`` for the first one that cannot be
    /// accepted, and the database's error when it could not be written; nothing was stored then.
    ///
    /// ```swift
    /// try await scheduler.enqueue(contentsOf: files.map { TaskSubmission(request(for: $0), id: $0, policy: .keep) })
    /// ```
    @discardableResult
    public func enqueue(contentsOf submissions: [TaskSubmission]) async throws -> [ScheduleResult] {
        let now = WallTime(configuration.clock.now)
        for (index, submission) in submissions.enumerated() {
            do { try check(submission.request, submission.trigger, id: submission.id, now: now) } catch {
                throw EnqueueError.inSubmission(index: index, error)
            }
        }
        if let reason = refusal(of: submissions) {
            return Array(repeating: .rejectedBySystem(reason: reason), count: submissions.count)
        }
        var items: [(NewItem, ExistingWorkPolicy)] = []
        items.reserveCapacity(submissions.count)
        for (index, submission) in submissions.enumerated() {
            let stamp = await fileStamp(of: submission.trigger)
            do {
                let item = try store.item(
                    submission.request, submission.trigger, id: submission.id ?? WorkIdentifier.make(at: now.date),
                    fileStamp: stamp, now: now)
                items.append((item, submission.policy))
            } catch let error as EnqueueError {
                throw EnqueueError.inSubmission(index: index, error)
            }
        }
        return try await untilThereIsRoom { [store, items] now in
            let requests = items.map { PreparedEnqueue($0, $1, now: now) }
            return try await store.write { try Self.enqueue(requests, in: $0) }
        }
    }

    private func refusal(of submissions: [TaskSubmission]) -> String? {
        for (index, submission) in submissions.enumerated() {
            let reason = runner.parts.validation.refusal(
                of: submission.request, id: submission.id ?? "submission \(index)")
            if let reason { return reason }
        }
        return nil
    }

    private static func enqueue(
        _ requests: [PreparedEnqueue], in transaction: WorkTransaction
    ) throws -> [ScheduleResult]? {
        struct MustWait: Error {}
        do {
            return try transaction.allOrNothing {
                var results: [ScheduleResult] = []
                results.reserveCapacity(requests.count)
                try transaction.enqueue(requests) { answer in
                    do {
                        guard let result = result(try answer.get(), id: requests[results.count].item.id) else {
                            throw MustWait()
                        }
                        results.append(result)
                    } catch let error as EnqueueError {
                        throw EnqueueError.inSubmission(index: results.count, error)
                    }
                }
                return results
            }
        } catch is MustWait {
            return nil
        }
    }

    /// Starts a chain with one request.
    public func beginWith(_ request: TaskRequest) -> TaskChain { TaskChain(scheduler: self, first: [request]) }

    /// Starts a chain with requests that run in parallel.
    public func beginWith(_ requests: [TaskRequest]) -> TaskChain { TaskChain(scheduler: self, first: requests) }

    func enqueue(_ chain: ChainSteps, id: String?, policy: ExistingWorkPolicy) async throws -> ScheduleResult {
        try RequestRules.check(chain, id: id)
        if let id { try RequestRules.check(id: id) }
        if let reason = runner.parts.validation.refusal(of: chain, id: id) { return .rejectedBySystem(reason: reason) }
        let id = id ?? WorkIdentifier.make(at: configuration.clock.now)
        return try await untilThereIsRoom { [store] now in
            try await store.write {
                Self.result(try $0.enqueue(chain, id: id, policy: policy, now: now), id: id)
            }
        }
    }

    private func check(
        _ request: TaskRequest, _ trigger: TaskTrigger, id: String?, now: WallTime
    ) throws(EnqueueError) {
        try RequestRules.check(request)
        try triggers.check(trigger, now: now)
        if let id { try RequestRules.check(id: id) }
    }

    /// `nil` when the transaction has to be run again.
    private static func result(_ answer: WorkTransaction.EnqueueAnswer, id: String) -> ScheduleResult? {
        switch answer {
        case .inserted, .appended, .updated: .accepted(id: id)
        case .kept: .keptExisting(id: id)
        case .deadlinePassed: .deadlineAlreadyPassed
        case .mustWait: nil
        }
    }

    /// Runs `body` until it has an answer: a file that is being moved into place finishes within moments, in this
    /// process or in another.
    private func untilThereIsRoom<Answer: Sendable>(
        _ body: @Sendable (WallTime) async throws -> Answer?
    ) async throws -> Answer {
        var waits = 0
        while true {
            if lifecycle.isShutDown { throw EnqueueError.shuttingDown }
            let now = WallTime(configuration.clock.now)
            if let answer = try await body(now) { return answer }
            waits += 1
            try await configuration.clock.sleep(for: .milliseconds(min(500, 5 << min(waits, 7))))
        }
    }
}
