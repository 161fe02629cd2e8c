import BackgroundWorkModel

extension WorkTransaction {
    /// What a claim got, and what it saw.
    package struct Claim: Sendable {
        package var work: [ClaimedWork] = []
        /// Work that has killed its process before is due, and must run alone.
        package var suspectIsDue = false
        /// When the next item falls due, if nothing was claimed.
        package var nextDue: WallTime?
    }

    /// Takes up to `limit` due items for an owner, the most urgent and then the earliest due first.
    package func claim(limit: Int, owner: Int64, now: WallTime) throws -> Claim {
        var claim = Claim()
        claim.suspectIsDue =
            try connection.first(
                "SELECT 1 FROM work WHERE state = 1 AND deaths >= 2 AND due <= ? LIMIT 1", .int(now.milliseconds)
            ) { _ in true } ?? false
        for priority in WorkPriority.allCases.reversed() where claim.work.count < limit {
            // One seek for each priority: an index on (priority desc, due) would be scanned past all that is due later.
            claim.work += try take(
                """
                UPDATE work SET state = 2, attempt = attempt + 1, owner = ?1 WHERE seq IN (
                SELECT seq FROM work WHERE state = 1 AND deaths < 2 AND priority = ?2 AND due <= ?3 \
                ORDER BY due, seq LIMIT ?4) RETURNING \(WorkRecord.columns)
                """,
                .int(owner), .int(priority.rawValue), .int(now.milliseconds), .int(limit - claim.work.count))
        }
        if claim.work.isEmpty { claim.nextDue = try nextDue() }
        return claim
    }

    /// Takes one suspect. The caller runs nothing else meanwhile.
    package func claimSuspect(owner: Int64, now: WallTime) throws -> ClaimedWork? {
        try take(
            """
            UPDATE work SET state = 2, attempt = attempt + 1, owner = ?1 WHERE seq IN (
            SELECT seq FROM work WHERE state = 1 AND deaths >= 2 AND due <= ?2 \
            ORDER BY due, seq LIMIT 1) RETURNING \(WorkRecord.columns)
            """,
            .int(owner), .int(now.milliseconds)
        ).first
    }

    private func take(_ sql: String, _ bindings: SQLiteBinding...) throws -> [ClaimedWork] {
        var records: [WorkRecord] = []
        try connection.rows(sql, bindings) { records.append(WorkRecord($0)) }
        // RETURNING gives rows in no particular order (https://sqlite.org/lang_returning.html).
        records.sort { ($0.due, $0.sequence) < ($1.due, $1.sequence) }
        return try records.map { ClaimedWork(record: $0, previousOutputs: try previousOutputs(of: $0)) }
    }

    private func previousOutputs(of record: WorkRecord) throws -> [String] {
        guard let chain = record.chainID, record.stepIndex > 0 else { return [] }
        var outputs: [String] = []
        try connection.rows(
            "SELECT output FROM work WHERE chain = ? AND step = ? AND output IS NOT NULL ORDER BY position",
            .text(chain), .int(record.stepIndex - 1)
        ) { outputs.append($0.text(0)) }
        return outputs
    }

    private func nextDue() throws -> WallTime? {
        var earliest: Int64?
        func consider(_ due: Int64?) { if let due { earliest = min(earliest ?? due, due) } }
        for priority in WorkPriority.allCases {
            consider(
                try connection.first(
                    "SELECT due FROM work WHERE state = 1 AND deaths < 2 AND priority = ? ORDER BY due LIMIT 1",
                    .int(priority.rawValue)
                ) { $0.int(0) })
        }
        consider(
            try connection.first("SELECT due FROM work WHERE state = 1 AND deaths >= 2 ORDER BY due LIMIT 1") {
                $0.int(0)
            })
        return earliest.map(WallTime.init(milliseconds:))
    }
}
