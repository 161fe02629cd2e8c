import BackgroundWorkModel

extension WorkTransaction {
    /// Stores what the next attempt shall find; `false` if the run is not the current one any more.
    package func saveCheckpoint(_ json: String?, of key: TransferKey, owner: Int64?) throws -> Bool {
        try connection.run(
            "UPDATE work SET checkpoint = ? WHERE id = ? AND generation = ? AND state = 2 AND owner IS ?",
            .optional(json), .text(key.workID), .int(key.generation), .optional(owner)) > 0
    }

    /// Stores how far a run is, if it is still the current one.
    package func saveProgress(_ progress: WorkerProgress, of key: TransferKey) throws {
        let changed = try connection.run(
            "UPDATE work SET progress = ? WHERE id = ? AND generation = ? AND state = 2",
            .text(StoredJSON.encode(progress)), .text(key.workID), .int(key.generation))
        if changed > 0 { summary.changed.append(key.workID) }
    }

    /// Makes a pending item due; `false` if it is not pending.
    package func makeDue(id: String, now: WallTime) throws -> Bool {
        let changed = try connection.run(
            "UPDATE work SET due = min(due, ?) WHERE id = ? AND state = 1", .int(now.milliseconds), .text(id))
        if changed > 0 {
            summary.changed.append(id)
            summary.mayHaveDueWork = true
        }
        return changed > 0
    }
}
