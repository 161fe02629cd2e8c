import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers

/// The queries that the agent runs when it starts.
extension Journal {
    /// The transfers to continue, oldest first. A record that cannot be read is reported and left unchanged.
    func activeTransfers(report: (String) -> Void) throws -> [TransferRecord] {
        var records: [TransferRecord] = []
        try connection.rows(
            """
            SELECT task, specification, validator, total, checkpoint, boot, parts, upload, started_at, created_at,
                paused, failures, next_attempt, mirror, mirror_failures
            FROM transfers WHERE state = 'active' ORDER BY task
            """
        ) { row in
            do {
                records.append(try record(row))
            } catch {
                report(
                    "transfer \(row.int(0)): its specification cannot be read (\(error)); cancel it and enqueue it again"
                )
            }
        }
        return records
    }

    private func record(_ row: borrowing SQLiteRow) throws -> TransferRecord {
        let entity = RecordedEntity(validator: row.optionalText(2), total: row.optionalInt(3))
        let recorded = entity.validator != nil || entity.total != nil || row.int(4) > 0
        let noted = try row.optionalText(6).map { try JSONCoding.value(SegmentTable.self, from: $0) }
        let parts = noted.flatMap { SegmentTable(total: $0.total, segments: $0.segments) }
        // They are only for a message.
        let mirrorFailures = row.optionalText(14).flatMap { try? JSONCoding.value(MirrorFailures.self, from: $0) }
        return TransferRecord(
            task: row.int(0), specification: try FastJSON.value(TransferSpecification.self, from: row.text(1)),
            entity: recorded ? entity : nil,
            // Without its parts the positions of those bytes are unknown.
            checkpoint: noted != parts ? 0 : row.int(4), boot: row.optionalText(5), parts: parts,
            uploadURL: row.optionalText(7),
            startedAt: WallTime(milliseconds: row.optionalInt(8) ?? row.int(9)), isPaused: row.int(10) != 0,
            failures: Int(row.int(11)), nextAttempt: row.optionalInt(12).map(WallTime.init(milliseconds:)),
            mirror: Int(row.int(13)), mirrorFailures: mirrorFailures ?? MirrorFailures())
    }

    /// The outcomes that no client has acknowledged, oldest first.
    func outcomes(report: (String) -> Void) throws -> [RecordedOutcome] {
        var outcomes: [RecordedOutcome] = []
        try connection.rows("SELECT task, outcome FROM transfers WHERE state = 'finished' ORDER BY task") { row in
            do {
                outcomes.append(try RecordedOutcome(FastJSON.value(from: row.text(1))))
            } catch {
                report("transfer \(row.int(0)): its outcome cannot be read (\(error)); cancel it and enqueue it again")
            }
        }
        return outcomes
    }

    func taskIdentifiers() throws -> Set<Int64> {
        var tasks: Set<Int64> = []
        try connection.rows("SELECT task FROM transfers") { tasks.insert($0.int(0)) }
        return tasks
    }

    /// Records that the staging files of the active transfers were written since this boot.
    func claimActiveTransfers(boot: String) throws {
        try connection.run("UPDATE transfers SET boot = ? WHERE state = 'active'", .text(boot))
    }

    func launchCommand() throws -> LaunchCommand? {
        try connection.first("SELECT value FROM meta WHERE name = 'launch'") { $0.text(0) }
            .map { try JSONCoding.value(LaunchCommand.self, from: $0) }
    }

    func setLaunchCommand(_ command: LaunchCommand?) throws {
        if let command {
            try connection.run(
                "INSERT OR REPLACE INTO meta VALUES('launch', ?)", .text(try JSONCoding.text(of: command)))
        } else {
            try connection.run("DELETE FROM meta WHERE name = 'launch'")
        }
    }

    func limits() throws -> TransferLimits? {
        try connection.first("SELECT value FROM meta WHERE name = 'limits'") { $0.text(0) }
            .map { try JSONCoding.value(TransferLimits.self, from: $0) }
    }

    /// Unchanged limits are not written again.
    func setLimits(_ limits: TransferLimits) throws {
        guard try self.limits() != limits else { return }
        try connection.run("INSERT OR REPLACE INTO meta VALUES('limits', ?)", .text(try JSONCoding.text(of: limits)))
    }
}
