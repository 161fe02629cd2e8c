import BackgroundWorkModel

extension WorkSnapshot {
    /// A scheduler, of any process, that may own running work.
    package struct Owner: Sendable, Hashable {
        package var id: Int64
        package var lockFile: String
        package var processIdentifier: Int32
        /// The boot of the machine that it belongs to.
        package var boot: String
    }

    package func owners() throws -> [Owner] {
        var owners: [Owner] = []
        try connection.rows("SELECT id, lock_file, pid, boot FROM owners ORDER BY id") {
            owners.append(
                Owner(
                    id: $0.int(0), lockFile: $0.text(1), processIdentifier: Int32(truncatingIfNeeded: $0.int(2)),
                    boot: $0.text(3)))
        }
        return owners
    }

    /// Whether any work has an owner that does not exist.
    package func hasWorkWithoutOwner() throws -> Bool {
        try connection.first(
            """
            SELECT EXISTS (SELECT 1 FROM runs WHERE owner NOT IN (SELECT id FROM owners)) \
            OR EXISTS (SELECT 1 FROM parked WHERE owner NOT IN (SELECT id FROM owners))
            """
        ) { $0.int(0) != 0 } ?? false
    }
}

extension WorkTransaction {
    /// What reclaiming a dead owner's work did.
    package struct Reclaimed: Sendable, Hashable {
        /// Items that run again.
        package var requeued = 0
        /// Items that failed: not idempotent, or their process ended too often, at last while nothing else ran.
        package var failed = 0
        /// File moves that are to be resumed.
        package var interruptedMoves = 0

        package init() {}

        package static func + (lhs: Reclaimed, rhs: Reclaimed) -> Reclaimed {
            var sum = lhs
            sum.requeued += rhs.requeued
            sum.failed += rhs.failed
            sum.interruptedMoves += rhs.interruptedMoves
            return sum
        }
    }

    /// Records an owner whose lock file is locked already.
    package func addOwner(lockFile: String, processIdentifier: Int32, boot: String) throws -> Int64 {
        try connection.run(
            "INSERT INTO owners (lock_file, pid, boot) VALUES (?, ?, ?)", .text(lockFile),
            .int(Int64(processIdentifier)), .text(boot))
        summary.ownersChanged = true
        ownOwner = connection.lastInsertedRowID
        return connection.lastInsertedRowID
    }

    /// Takes back a dead owner's work, and removes the owner. The caller holds its lock.
    package func reclaim(from owner: Owner, after end: OwnerEnd, now: WallTime) throws -> Reclaimed {
        let reclaimed = try reclaim(ownedBy: owner.id, of: "process \(owner.processIdentifier)", end, now: now)
        try removeOwner(owner.id)
        // It may have removed some, and had no time to empty the log.
        summary.hasRemovedSecrets = true
        return reclaimed
    }

    /// Takes back work of owners that no longer exist.
    package func reclaimWithoutOwner(now: WallTime) throws -> Reclaimed {
        var owners: Set<Int64> = []
        for table in ["runs", "parked"] {
            try connection.rows("SELECT DISTINCT owner FROM \(table) WHERE owner NOT IN (SELECT id FROM owners)") {
                owners.insert($0.int(0))
            }
        }
        return try owners.reduce(Reclaimed()) {
            try $0 + reclaim(ownedBy: $1, of: "an unknown process", OwnerEnd(.killed, nil), now: now)
        }
    }

    private func reclaim(
        ownedBy owner: Int64, of process: String, _ end: OwnerEnd, now: WallTime
    ) throws -> Reclaimed {
        var reclaimed = Reclaimed()
        let owned = try owned(by: owner)
        let running = owned.filter { $0.status.state == .running && end.hasStarted($0) }
        for record in owned {
            let transition: WorkTransition
            if record.status.state == .running, !end.hasStarted(record) {
                transition = try putBack(record, hasBegun: false, now: now)
            } else if end.cause == .machineStopped, record.isIdempotent, record.status.state == .running {
                transition = try putBack(record, hasBegun: true, now: now)
            } else {
                let (mayRunAgain, wasAlone) = (end.mayRunAgain(record), running.count == 1)
                let change: WorkChange =
                    end.cause == .exited
                    ? .ownerExited(mayRunAgain: mayRunAgain, wasAlone: wasAlone)
                    : .ownerDied(mayRunAgain: mayRunAgain, wasAlone: wasAlone)
                let message = message(of: record, after: change, process, end)
                transition = try apply(change, to: record, Details(message: message, due: record.due), now: now)
            }
            switch transition {
            case .continues(let status) where status.state == .finishing: reclaimed.interruptedMoves += 1
            case .continues: reclaimed.requeued += 1
            case .finishes:
                reclaimed.failed += 1
                try cancelTransfer(leftBy: record)
            case .refused: break
            }
        }
        return reclaimed
    }

    /// A transfer that a run may have left with the daemon has no owner once its item has failed.
    private func cancelTransfer(leftBy record: WorkRecord) throws {
        if settings.mayLeaveTransfers(record.workerName) { try requestCancellation(of: record.transferKey) }
    }

    private func owned(by owner: Int64) throws -> [WorkRecord] {
        try ["runs", "parked"].flatMap { table in
            // Usually there is nothing, and compiling the view takes longer than the rest of a scheduler's shutdown.
            guard
                try connection.first("SELECT 1 FROM \(table) WHERE owner = ? LIMIT 1", .int(owner), body: { _ in })
                    != nil
            else { return [WorkRecord]() }
            return try records(
                """
                SELECT \(WorkRecord.columnsOfItem) FROM \(table) o CROSS JOIN items i ON i.seq = o.seq \
                WHERE o.owner = ? ORDER BY o.seq
                """,
                .int(owner))
        }
    }

    /// The message of an item whose owner has ended.
    private func message(
        of record: WorkRecord, after change: WorkChange, _ process: String, _ end: OwnerEnd
    ) -> String? {
        if record.status.state == .finishing { return nil }
        let interruption =
            switch end.cause {
            case .killed: "\(process) died while this ran"
            case .exited: "\(process) exited while this ran"
            case .machineStopped: "the machine stopped while this ran, or was about to run"
            }
        guard case .finishes(let status, _) = record.status.after(change) else { return interruption }
        if !end.mayRunAgain(record) {
            return "\(interruption), and the request is not idempotent, so it was not started again"
        }
        let last = "while this ran, the last one (\(process)) with nothing else running"
        if status.exits <= WorkStatus.toleratedExits {
            return "processes died \(status.deaths) times \(last); look for a crash in \(record.workerName)"
        }
        let kills = status.kills == 0 ? "" : " and died \(status.kills) times"
        return
            "processes exited \(status.exits) times\(kills) \(last). A program has to run until its work is done, or "
            + "to call shutdown() before it exits; if it does, look for a call of exit in \(record.workerName)"
    }

    /// Puts running items back into the queue: they run again, and no attempt is counted. Items that are not running,
    /// or belong to another owner, are not changed.
    ///
    /// - Parameter hasBegun: whether their workers may have started.
    package func putBack(_ keys: [RunKey], owner: Int64, hasBegun: Bool, now: WallTime) throws {
        for key in keys {
            guard let record = try record(sequence: key.sequence), record.owner == owner,
                record.status.state == .running, record.status.generation == key.generation
            else { continue }
            _ = try putBack(record, hasBegun: hasBegun, now: now)
        }
    }

    /// Gives back all work of an owner, ends work that must not run twice and may still run, and removes the owner:
    /// both, or neither.
    package func release(owner: Int64, begun: Set<RunKey>, now: WallTime) throws {
        round.close()
        for record in try owned(by: owner) {
            let hasBegun = begun.contains(record.runKey)
            if record.status.state == .running, hasBegun, !record.isIdempotent {
                let message =
                    "the scheduler was shut down, and the worker had not returned within the grace period; the request is "
                    + "not idempotent, so it was not started again"
                _ = try apply(
                    .ownerDied(mayRunAgain: false, wasAlone: false), to: record, Details(message: message), now: now)
                try cancelTransfer(leftBy: record)
            } else if record.status.state == .running {
                _ = try putBack(record, hasBegun: hasBegun, now: now)
            } else {
                // The next process resumes the move.
                _ = try apply(.ownerDied(mayRunAgain: true, wasAlone: false), to: record, now: now)
            }
        }
        try removeOwner(owner)
    }

    private func putBack(_ record: WorkRecord, hasBegun: Bool, now: WallTime) throws -> WorkTransition {
        _ = round.giveBack(record.runKey)
        var record = record
        // An item that has never started has left nothing with the daemon.
        if !hasBegun, record.status.attempt <= 1 { record.startedAt = nil }
        return try apply(.stopped, to: record, Details(due: record.due), now: now)
    }

    private func removeOwner(_ id: Int64) throws {
        try connection.run("UPDATE subscribers SET owner = NULL, hold = NULL WHERE owner = ?", .int(id))
        try connection.run("DELETE FROM stops WHERE owner = ?", .int(id))
        try connection.run("DELETE FROM owners WHERE id = ?", .int(id))
        summary.hasDueWork = true
    }

    /// Records which other schedulers have to be notified of this commit, if it concerns them.
    func noteOtherSchedulers(than ownLockFile: String?) throws {
        guard summary.isNews else { return }
        summary.others = try owners().map(\.lockFile).filter { $0 != ownLockFile }
    }
}
