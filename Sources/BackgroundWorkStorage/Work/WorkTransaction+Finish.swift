import BackgroundWorkModel

extension WorkTransaction {
    func finish(
        _ record: WorkRecord, as status: WorkStatus, _ outcome: WorkOutcome, _ details: Details, recurs: Bool,
        now: WallTime
    ) throws {
        try leave(record)
        let next = recurs && outcome != .cancelled ? nextOccurrence(of: record, now: now) : nil
        // The event first: an item that starts at the end of this reads it.
        try appendEvent(for: record, attempt: status.attempt, outcome, details, now: now)
        if let next {
            try wait(for: next, record, after: status, details, now: now)
        } else {
            try end(record, as: status, details)
        }
        if record.chainSequence != nil { try advanceChain(after: record, outcome, now: now) }
        if record.flags.contains(.isFollowed) { try startAppended(after: record, now: now) }
    }

    /// Stores the final state of an item.
    func end(_ record: WorkRecord, as status: WorkStatus, _ details: Details) throws {
        if mayHaveSecrets(record) { try removeSecrets(of: record) }
        if record.isCarried {
            var ended = record
            ended.status = status
            ended.message = details.message
            ended.checkpoint = nil
            ended.flags.remove(.waitsAgain)
            try carry(&ended)
        }
        if let path = record.trigger?.watchedPath {
            try connection.run(
                "DELETE FROM watched WHERE path = ? AND seq = ?", .text(path), .int(record.sequence))
            summary.watchedPathsChanged = true
        }
    }

    /// The next occurrence, unless its time would be past the deadline.
    private func nextOccurrence(of record: WorkRecord, now: WallTime) -> Occurrence? {
        guard let trigger = record.trigger,
            var next = settings.triggers.next(
                of: trigger, planned: record.planned ?? record.due, started: record.startedAt ?? now)
        else { return nil }
        if let triggered = record.triggeredAt { next.due = triggered }
        if let deadline = record.options.deadline,
            now >= deadline || (next.due != .distantFuture && next.due >= deadline)
        {
            return nil
        }
        return next
    }

    private func wait(
        for next: Occurrence, _ record: WorkRecord, after status: WorkStatus, _ details: Details, now: WallTime
    ) throws {
        var waiting = record
        waiting.status = status.recurring
        waiting.owner = nil
        waiting.due = next.due
        waiting.planned = next.planned
        waiting.occurrence += 1
        waiting.message = details.message
        waiting.outputJSON = details.outputJSON
        waiting.moveJSON = nil
        waiting.triggeredAt = nil
        waiting.checkpoint = nil
        waiting.progress = nil
        try carry(&waiting)
        try wait(waiting, now: now)
    }

    // MARK: The end of a run

    /// Stores how a run has ended, if it is still the current one; otherwise nothing changes.
    package func endRun(_ result: RunResult) throws {
        if try endUntouched(result) { return }
        if try parkUntouched(result) { return }
        let key = result.work.record.transferKey
        let leavesTransfers = settings.mayLeaveTransfers(result.work.record.workerName)
        // Another process may own the item by now, if this process was considered dead or has put the item back.
        guard let current = try record(id: key.workID), current.owner == result.owner,
            current.status.generation == key.generation, current.status.state == .running
        else {
            // An outcome that arrived before this commit is no reason to cancel the transfer; an unexpected end of
            // the item is.
            let isGone = try record(id: key.workID).map {
                $0.status.generation != key.generation || $0.status.state == .cancelled
            }
            if leavesTransfers, isGone ?? true { try requestCancellation(of: key) }
            return
        }
        try end(current, result, leavesTransfers)
    }

    /// The common case, without reading the item: it is finished for good, it was not changed since its claim, and it
    /// was claimed by this owner, so what was read then is still valid.
    private func endUntouched(_ result: RunResult) throws -> Bool {
        guard let end = endForGood(result),
            try tables.runs.endUntouched(result.work.record.runKey, owner: result.owner)
        else { return false }
        try untouchedEnded(end)
        let record = end.result.work.record
        if record.chainSequence != nil { try advanceChain(after: record, end.outcome, now: end.result.now) }
        return true
    }

    /// The common hand-off, also without reading the item: all values of its new row are known since its claim.
    private func parkUntouched(_ result: RunResult) throws -> Bool {
        var record = result.work.record
        guard case .handedOff(let message?, let expiresAfter) = result.ending, record.chainSequence == nil,
            !record.isCarried,
            case .continues(let status) = record.status.after(.workerHandedOff),
            try tables.runs.endUntouched(record.runKey, owner: result.owner)
        else { return false }
        record.status = status
        record.owner = nil
        record.message = message
        record.handOffExpires = expiresAfter.map { result.now.advanced(byMs: $0.milliseconds) }
        try tables.parked.store(record)
        try storeExpiry(record)
        runEnded()
        summary.changed.append(record.id)
        return true
    }

    /// Stores an end, except for its effect on the rest of a chain.
    private func untouchedEnded(_ plain: PlainEnd) throws {
        let record = plain.result.work.record
        runEnded()
        try appendEvent(
            for: record, attempt: plain.status.attempt, plain.outcome, plain.details, now: plain.result.now)
        try end(record, as: plain.status, plain.details)
        summary.changed.append(record.id)
    }

    /// The result for the item of a run that leaves nothing else to do; `nil` for any other run.
    private func endForGood(_ result: RunResult) -> PlainEnd? {
        let record = result.work.record
        guard case .finished(let outcome, let message, let outputJSON) = result.ending, result.submissions.isEmpty,
            record.trigger == nil, !record.flags.contains(.isFollowed), !mayLeaveTransfers(record),
            case .finishes(let status, outcome) = record.status.after(.workerFinished(outcome))
        else { return nil }
        return PlainEnd(
            result: result, status: status, outcome: outcome,
            details: Details(message: message, outputJSON: outputJSON, duration: result.duration))
    }

    // MARK: Many ends

    /// The end of a run, and its result for the item if the item was not changed since its claim.
    struct PlainEnd {
        var result: RunResult
        var status: WorkStatus
        var outcome: WorkOutcome
        var details: Details

        /// Whether both count as ends of members of the same step.
        func isCounted(with other: PlainEnd) -> Bool {
            let (record, other) = (result.work.record, other.result.work.record)
            return record.chainSequence == other.chainSequence && record.stepIndex == other.stepIndex
                && record.flags == other.flags
        }
    }

    /// The end of a run that ends nothing else, so that it may be stored together with others.
    func plainEnd(of result: RunResult) -> PlainEnd? {
        let record = result.work.record
        guard !record.isCarried, let end = endForGood(result) else { return nil }
        return record.chainSequence == nil || end.outcome == .succeeded ? end : nil
    }

    /// Stores the ends of several runs. Consecutive rows, the usual case, are read and deleted by one statement each.
    ///
    /// - Returns: the indexes of those that are not stored: they were changed since their claim.
    func endTogether(_ ends: [PlainEnd]) throws -> Set<Int> {
        var left: Set<Int> = []
        let order = ends.indices.sorted {
            ends[$0].result.work.record.sequence < ends[$1].result.work.record.sequence
        }
        let alike = order.runs { one, next in
            let (one, next) = (ends[one].result, ends[next].result)
            let (key, nextKey) = (one.work.record.runKey, next.work.record.runKey)
            return nextKey.sequence == key.sequence + 1 && nextKey.generation == key.generation
                && next.owner == one.owner
        }
        for places in alike {
            let first = ends[places[places.startIndex]].result
            if try tables.runs.endUntouched(first.work.record.runKey, count: places.count, owner: first.owner) {
                continue
            }
            for place in places
            where try !tables.runs.endUntouched(ends[place].result.work.record.runKey, owner: first.owner) {
                left.insert(place)
            }
        }
        var members: [PlainEnd] = []
        for (place, end) in ends.enumerated() where left.isEmpty || !left.contains(place) {
            try untouchedEnded(end)
            if end.result.work.record.chainSequence != nil { members.append(end) }
        }
        // Members of a step are counted together, and the effects of their ends come after all of these.
        for alike in members.runs(where: { $0.isCounted(with: $1) }) {
            guard let last = alike.last else { continue }
            try advanceChain(after: last.result.work.record, .succeeded, count: alike.count, now: last.result.now)
        }
        return left
    }

    private func mayLeaveTransfers(_ record: WorkRecord) -> Bool { ofClaimGroup(record).mayLeaveTransfers }

    /// Cached for consecutive runs of the same kind.
    private func ofClaimGroup(_ record: WorkRecord) -> (mayLeaveTransfers: Bool, mayHaveSecrets: Bool) {
        if let last = lastOfClaimGroup, last.claimGroup == record.claimGroupNumber {
            return (last.mayLeaveTransfers, last.mayHaveSecrets)
        }
        let answer = (settings.mayLeaveTransfers(record.workerName), settings.secrets.mayBeOf(record.workerName))
        lastOfClaimGroup = (record.claimGroupNumber, answer.0, answer.1)
        return answer
    }

    /// Whether the input of an item may have secrets, by its worker.
    func mayHaveSecrets(_ record: WorkRecord) -> Bool { ofClaimGroup(record).mayHaveSecrets }

    private func end(_ record: WorkRecord, _ result: RunResult, _ leavesTransfers: Bool) throws {
        var (change, details) = result.ending.change(of: record, now: result.now, random: result.random)
        details.duration = result.duration
        // No process would process, or cancel, a transfer that an earlier attempt has left with the daemon.
        if leavesTransfers, case .workerFinished = change, result.ending.mayHaveBegunHandOff(record) {
            try requestCancellation(of: record.transferKey)
        }
        guard change == .workerFinished(.succeeded), !result.submissions.isEmpty else {
            _ = try apply(change, to: record, details, now: result.now)
            return
        }
        do {
            try allOrNothing {
                // The finish first: the run may enqueue its own successor under its own id.
                _ = try apply(change, to: record, details, now: result.now)
                try result.submissions.enqueue(in: self, now: result.now)
            }
        } catch let error as EnqueueError {
            let message = "the worker succeeded, but work that it enqueued was rejected, so the request fails: \(error)"
            _ = try apply(
                .workerFinished(.failed), to: record, Details(message: message, duration: result.duration),
                now: result.now)
        }
    }
}
