import BackgroundWorkModel

/// The queries of the work store: all results are of one moment. Used on its connection's queue only.
package class WorkSnapshot {
    let connection: SQLiteConnection
    let claimGroups: ClaimGroupTable
    let reader: RecordReader
    let tables: WorkTables
    let settings: StoreSettings

    init(connection: SQLiteConnection, settings: StoreSettings) {
        self.connection = connection
        self.settings = settings
        claimGroups = ClaimGroupTable(connection: connection)
        reader = RecordReader(claimGroups)
        tables = WorkTables(connection: connection)
    }

    /// The item with this id.
    package func record(id: String) throws -> WorkRecord? {
        try connection.first("SELECT \(WorkRecord.columns) FROM items WHERE id = ?", .text(id)) {
            try reader.record($0)
        }
    }

    func record(sequence: Int64) throws -> WorkRecord? {
        try connection.first("SELECT \(WorkRecord.columns) FROM items WHERE seq = ?", .int(sequence)) {
            try reader.record($0)
        }
    }

    /// The members of a chain, in order.
    package func records(chainID: String) throws -> [WorkRecord] {
        guard let chain = try nameHolder(chainID), chain.isChain else { return [] }
        return try records(chain: chain.sequence)
    }

    func records(chain: Int64) throws -> [WorkRecord] {
        // CROSS JOIN prevents SQLite from iterating over the items instead
        // (https://sqlite.org/optoverview.html#crossjoin).
        try records(
            """
            SELECT \(WorkRecord.columnsOfItem) FROM members m CROSS JOIN items i ON i.seq = m.seq \
            WHERE m.chain = ? ORDER BY m.step, m.position
            """,
            .int(chain))
    }

    /// Items in one of the states between a worker's return and the end: handed off or finishing.
    package func records(in state: WorkState) throws -> [WorkRecord] {
        // Usually there are none, and compiling the query would take a tenth of a start.
        guard
            try connection.first(
                "SELECT 1 FROM parked WHERE state = ? LIMIT 1", .int(state.rawValue), body: { _ in true }) != nil
        else { return [] }
        return try records(
            """
            SELECT \(WorkRecord.columnsOfItem) FROM parked q CROSS JOIN items i ON i.seq = q.seq \
            WHERE q.state = ? ORDER BY q.seq
            """,
            .int(state.rawValue))
    }

    /// The queue, worker and conditions of an item.
    package func claimGroup(of record: WorkRecord) throws -> ClaimGroup {
        try claimGroups.claimGroup(record.claimGroupNumber)
    }

    func records(_ sql: String, _ bindings: SQLiteBinding...) throws -> [WorkRecord] {
        var records: [WorkRecord] = []
        try connection.rows(sql, bindings) { records.append(try reader.record($0)) }
        return records
    }

    /// The item or chain that has a name.
    struct NameHolder {
        var sequence: Int64
        var isChain: Bool
        /// The chain that it is a member of.
        var memberOf: Int64?
    }

    func nameHolder(_ id: String) throws -> NameHolder? {
        try connection.first("SELECT seq, flags, chain FROM work WHERE id = ?", .text(id)) {
            NameHolder(
                sequence: $0.int(0), isChain: WorkFlags(rawValue: Int($0.int(1))).contains(.isChain),
                memberOf: $0.optionalInt(2))
        }
    }

    func isUnfinished(chain: Int64) throws -> Bool { try (tables.chains.standing(of: chain)?.unfinished ?? 0) > 0 }

    package func meta(_ key: String) throws -> String? {
        try connection.first("SELECT value FROM meta WHERE key = ?", .text(key)) { $0.text(0) }
    }

    /// How many requests or chains wait for the end of this id.
    package func appendedCount(id: String) throws -> Int {
        try connection.first("SELECT count(*) FROM appended WHERE id = ?", .text(id)) { Int($0.int(0)) } ?? 0
    }

    /// The members that a blocked one waits for.
    package func unfinishedPredecessors(of record: WorkRecord) throws -> [String] {
        guard let chain = record.chainSequence else { return [] }
        let steps = Set(try tables.chains.predecessors(of: record.stepIndex, in: chain))
        return try records(chain: chain).filter { steps.contains($0.stepIndex) && !$0.status.state.isFinished }
            .map(\.id)
    }
}

extension WorkRecord {
    /// The columns of the view under its alias `i`.
    static let columnsOfItem = columns.split(separator: ", ").map { "i.\($0)" }.joined(separator: ", ")
}

extension WorkSnapshot {
    /// The outputs of the steps that a step of a member's chain waits for, in their order. None outside of a chain.
    package func outputs(beforeStep step: Int, inChainOf record: WorkRecord) throws -> [StepOutputs] {
        guard let chain = record.chainSequence else { return [] }
        return try tables.chains.predecessors(of: step, in: chain).map { try outputs(ofStep: $0, in: chain, record) }
    }

    /// The outputs of one step; `nil` unless it has to be complete before the member's step starts.
    package func outputs(ofStep step: Int, before record: WorkRecord) throws -> StepOutputs? {
        guard let chain = record.chainSequence, step >= 0, step < record.stepIndex,
            try tables.chains.stepsAfter(step, in: chain)?.contains(record.stepIndex) ?? true
        else { return nil }
        return try outputs(ofStep: step, in: chain, record)
    }

    private func outputs(ofStep step: Int, in chain: Int64, _ record: WorkRecord) throws -> StepOutputs {
        var found = StepOutputs(chainID: record.chainID ?? "", step: step, outputs: [])
        // If a member's event was pruned before its chain ended, its outcome is in `carried`.
        try connection.rows(
            """
            SELECT CASE WHEN coalesce(e.outcome, a.outcome) = ?3 THEN coalesce(e.output, a.output) END FROM members m \
            LEFT JOIN events e ON e.seq = (SELECT max(n.seq) FROM events n WHERE n.work = m.seq) \
            LEFT JOIN carried a ON a.seq = m.seq \
            WHERE m.chain = ?1 AND m.step = ?2 ORDER BY m.position
            """,
            .int(chain), .int(step), .int(WorkState.succeeded.rawValue)
        ) { found.outputs.append($0.optionalText(0)) }
        return found
    }
}
