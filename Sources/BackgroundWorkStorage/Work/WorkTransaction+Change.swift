import BackgroundWorkFiles
import BackgroundWorkModel

extension WorkTransaction {
    /// The values that a change sets besides the new status.
    package struct Details: Sendable {
        package var message: String?
        package var outputJSON: String?
        /// When the next attempt is due; now, if `nil`.
        package var due: WallTime?
        package var move: FileMove?
        /// When a hand-off's outcome must have arrived.
        package var handOffExpires: WallTime?
        /// How long the attempt took, on a monotonic clock.
        package var duration: Duration?

        package init(
            message: String? = nil, outputJSON: String? = nil, due: WallTime? = nil, move: FileMove? = nil,
            handOffExpires: WallTime? = nil, duration: Duration? = nil
        ) {
            self.message = message
            self.outputJSON = outputJSON
            self.due = due
            self.move = move
            self.handOffExpires = handOffExpires
            self.duration = duration
        }
    }

    /// Applies a change to the item with this id, if the generation is still the current one.
    ///
    /// A finish writes its event and releases or ends what depends on it, in this same transaction.
    package func apply(
        _ change: WorkChange, to key: TransferKey, _ details: Details = Details(), owner: Int64? = nil, now: WallTime
    ) throws -> WorkTransition {
        guard let record = try record(id: key.workID) else { return .refused(.outdated) }
        return try apply(change, to: record, generation: key.generation, details, owner: owner, now: now)
    }

    /// Applies a change to an item as it was read in this transaction.
    ///
    /// - Parameter generation: the one that the change is meant for; `nil` for any.
    package func apply(
        _ change: WorkChange, to record: WorkRecord, generation: Int64? = nil, _ details: Details = Details(),
        owner: Int64? = nil, now: WallTime
    ) throws -> WorkTransition {
        let transition = record.status.after(change, generation: generation)
        switch transition {
        case .refused: return transition
        case .continues(let status):
            try move(record, to: status, details, owner: owner, now: now)
            if status.state == .handedOff { try releaseAtHandOff(record, now: now) }
        case .finishes(let status, let outcome):
            if outcome == .cancelled { try stop(record) }
            try finish(record, as: status, outcome, details, recurs: change != .tooLateToStart, now: now)
        }
        summary.changed.append(record.id)
        summary.scheduleChanged = true
        return transition
    }

    func apply(
        _ change: WorkChange, to record: WorkRecord, message: String, now: WallTime
    ) throws -> WorkTransition {
        try apply(change, to: record, Details(message: message), now: now)
    }

    /// A cancelled item may be running, and may have left a transfer with the daemon.
    private func stop(_ record: WorkRecord) throws {
        if record.status.state == .running {
            // Items that this transaction itself has claimed have not started.
            if round.giveBack(record.runKey) { return }
            try tellToStop(record)
        }
        guard record.startedAt != nil || record.status.state == .handedOff,
            settings.mayLeaveTransfers(record.workerName)
        else { return }
        try requestCancellation(of: record.transferKey)
    }

    private func tellToStop(_ record: WorkRecord) throws {
        guard let owner = record.owner else { return }
        if owner == ownOwner {
            summary.stoppedRuns.append(record.runKey)
        } else {
            try connection.run(
                "INSERT OR IGNORE INTO stops VALUES (?, ?, ?)", .int(owner), .int(record.sequence),
                .int(record.status.generation))
            summary.hasStopsForOthers = true
        }
    }

    // MARK: Continuing

    private func move(
        _ record: WorkRecord, to status: WorkStatus, _ details: Details, owner: Int64?, now: WallTime
    ) throws {
        var next = record
        next.status = status
        next.owner = owner
        next.message = details.message ?? record.message
        next.moveJSON =
            try details.move.map { try FastJSON.text(of: $0) }
            ?? (status.state == .finishing ? record.moveJSON : nil)
        next.handOffExpires = status.state == .handedOff ? details.handOffExpires : nil
        next.flags.remove(.waitsAgain)
        try leave(record)
        switch status.state {
        case .pending:
            next.due = details.due ?? now
            try carry(&next)
            try wait(next, now: now)
        case .blocked:
            next.flags.insert(.waitsAgain)
            try carry(&next)
            try storeExpiry(next)
        case .handedOff, .finishing:
            try tables.parked.store(next)
            if record.flags.contains(.waitsAgain) { try carry(&next) }
            try storeExpiry(next)
        case .running, .succeeded, .failed, .cancelled, .skipped: break
        }
    }

    /// Stores the values that an item carries over.
    func carry(_ record: inout WorkRecord) throws {
        record.isCarried = true
        try tables.carried.store(record)
    }

    /// Removes an item's row from the table of its state.
    func leave(_ record: WorkRecord) throws {
        switch record.status.state {
        case .pending:
            try tables.due.delete(record)
            try removeExpiry(record)
        case .blocked:
            try removeExpiry(record)
            if let chain = record.chainSequence { try tables.chains.unblock(1, of: chain) }
        case .running:
            try tables.runs.delete(record.sequence)
            runEnded()
        case .handedOff:
            try tables.parked.delete(record.sequence)
            try removeExpiry(record)
        case .finishing: try tables.parked.delete(record.sequence)
        case .succeeded, .failed, .cancelled, .skipped: break
        }
    }

    /// One item fewer runs, so an item that a limit held back may start.
    func runEnded() {
        if isHeldBack { mayHaveDueWork = true }
        summary.scheduleChanged = true
    }

    /// Queues a pending item, or claims it at once if this scheduler has a slot for it and nothing waits before it.
    func wait(_ record: WorkRecord, now: WallTime) throws {
        if try beginsAtOnce(record, now: now) { return }
        try tables.due.insert(
            record.sequence, priority: record.priority, claimGroup: record.claimGroupNumber, due: record.due,
            isSuspect: record.status.isSuspect)
        try storeExpiry(record)
        summary.scheduleChanged = true
        summary.hasDueWork = true
        if record.due <= now {
            mayHaveDueWork = true
        } else {
            summary.look(at: record.due)
        }
    }

    /// Moves a pending item within the queue: to another time, priority or claim group.
    func relocate(_ record: WorkRecord, to moved: inout WorkRecord) throws {
        try leave(record)
        try carry(&moved)
        try tables.due.insert(
            moved.sequence, priority: moved.priority, claimGroup: moved.claimGroupNumber, due: moved.due,
            isSuspect: moved.status.isSuspect)
        try storeExpiry(moved)
        summary.look(at: moved.due)
        summary.scheduleChanged = true
        mayHaveDueWork = true
        summary.hasDueWork = true
    }

    /// Something about a running item has changed: what its run knows of it is no longer valid.
    func noteTouch(of record: WorkRecord) throws {
        if record.status.state == .running { try tables.runs.touch(record.sequence) }
    }

    // MARK: Expiry

    func storeExpiry(_ record: WorkRecord) throws {
        guard let at = expiry(of: record) else { return }
        try connection.run("INSERT INTO expiries VALUES (?, ?)", .int(at.milliseconds), .int(record.sequence))
        summary.look(at: at)
        summary.scheduleChanged = true
    }

    func removeExpiry(_ record: WorkRecord) throws {
        guard let at = expiry(of: record) else { return }
        try connection.run(
            "DELETE FROM expiries WHERE at = ? AND seq = ?", .int(at.milliseconds), .int(record.sequence))
    }

    private func expiry(of record: WorkRecord) -> WallTime? {
        record.options.expiry(in: record.status, handOffExpires: record.handOffExpires)
    }
}
