import BackgroundWorkModel

extension WorkTransaction {
    /// Stores the checkpoint for the next attempt; `false` if the run is no longer the current one.
    package func saveCheckpoint(_ json: String?, of key: RunKey, owner: Int64?) throws -> Bool {
        guard var record = try record(sequence: key.sequence), record.status.state == .running, record.owner == owner,
            record.status.generation == key.generation
        else { return false }
        record.checkpoint = json
        try carryWhileRunning(&record)
        return true
    }

    /// Stores the progress of a run, if it is still the current one.
    package func saveProgress(_ progress: WorkerProgress, of key: RunKey) throws {
        guard var record = try record(sequence: key.sequence), record.status.state == .running,
            record.status.generation == key.generation
        else { return }
        record.progress = progress
        try carryWhileRunning(&record)
        summary.changed.append(record.id)
    }

    private func carryWhileRunning(_ record: inout WorkRecord) throws {
        try carry(&record)
        try tables.runs.touch(record.sequence)
    }

    /// Makes a pending item due; `false` if it is not pending.
    package func makeDue(id: String, now: WallTime) throws -> Bool {
        guard let record = try record(id: id), record.status.state == .pending else { return false }
        var due = record
        due.due = min(record.due, now)
        try relocate(record, to: &due)
        summary.changed.append(id)
        return true
    }
}
