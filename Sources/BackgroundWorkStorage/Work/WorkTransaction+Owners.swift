import BackgroundWorkModel

extension WorkTransaction {
    /// A process, or rather a scheduler in one, that may own running work.
    package struct Owner: Sendable, Hashable {
        package var id: Int64
        package var lockFile: String
        package var processIdentifier: Int32
    }

    /// What reclaiming a dead owner's work did.
    package struct Reclaimed: Sendable, Hashable {
        /// Items that run again.
        package var requeued = 0
        /// Items that were failed: not idempotent, or killed their process while alone.
        package var failed = 0
        /// Moves that are to be taken up again.
        package var interruptedMoves = 0

        package init() {}
    }

    /// Records an owner whose lock file is locked already.
    package func addOwner(lockFile: String, processIdentifier: Int32) throws -> Int64 {
        try connection.run(
            "INSERT INTO owners (lock_file, pid) VALUES (?, ?)", .text(lockFile), .int(Int64(processIdentifier)))
        summary.ownersChanged = true
        return connection.lastInsertedRowID
    }

    package func owners() throws -> [Owner] {
        var owners: [Owner] = []
        try connection.rows("SELECT id, lock_file, pid FROM owners ORDER BY id") {
            owners.append(
                Owner(
                    id: $0.int(0), lockFile: $0.text(1),
                    processIdentifier: Int32(truncatingIfNeeded: $0.int(2))))
        }
        return owners
    }

    /// Takes back what a dead owner had, and forgets it. The caller holds its lock.
    package func reclaim(from owner: Owner, now: WallTime) throws -> Reclaimed {
        var reclaimed = Reclaimed()
        let owned = try records(
            "SELECT \(WorkRecord.columns) FROM work WHERE owner = ? ORDER BY due, seq", .int(owner.id))
        let running = owned.filter { $0.status.state == .running }
        for record in owned {
            let change = WorkChange.ownerDied(isIdempotent: record.isIdempotent, wasAlone: running.count == 1)
            // A suspect's death is told; the first ones are not its fault yet.
            let message =
                record.isIdempotent
                ? "process \(owner.processIdentifier) died \(record.status.deaths + 1) times while this ran, "
                    + "the last time with nothing else running; look for a crash in \(record.workerName)"
                : "process \(owner.processIdentifier) died while this ran, and the request is not idempotent, "
                    + "so it was not started again"
            let transition = try apply(
                change, to: record, generation: nil, Details(message: message, due: record.due, move: record.move),
                owner: nil, now: now)
            switch transition {
            case .goesOn(let status) where status.state == .finishing: reclaimed.interruptedMoves += 1
            case .goesOn: reclaimed.requeued += 1
            case .finishes: reclaimed.failed += 1
            case .refused: break
            }
        }
        try removeOwner(owner.id)
        return reclaimed
    }

    package func removeOwner(_ id: Int64) throws {
        try connection.run("UPDATE subscribers SET owner = NULL WHERE owner = ?", .int(id))
        try connection.run("DELETE FROM owners WHERE id = ?", .int(id))
    }

    /// Notes which other schedulers have to hear of this commit, if it is of interest to them.
    func noteWhoElse(than ownLockFile: String?) throws {
        guard summary.isNews else { return }
        summary.others = try owners().map(\.lockFile).filter { $0 != ownLockFile }
    }
}
