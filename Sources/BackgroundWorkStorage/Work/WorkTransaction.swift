import BackgroundWorkModel

/// The verbs of the work store, run inside one transaction. Lives on the writer's queue and ends with the commit.
package final class WorkTransaction {
    let connection: SQLiteConnection
    let lanes: LaneTable
    let settings: StoreSettings
    package internal(set) var summary = CommitSummary()

    init(connection: SQLiteConnection, lanes: LaneTable, settings: StoreSettings) {
        self.connection = connection
        self.lanes = lanes
        self.settings = settings
    }

    /// The item with this id.
    package func record(id: String) throws -> WorkRecord? {
        try connection.first("SELECT \(WorkRecord.columns) FROM work WHERE id = ?", .text(id)) { WorkRecord($0) }
    }

    /// The members of a chain, in order.
    package func records(chainID: String) throws -> [WorkRecord] {
        try records(
            "SELECT \(WorkRecord.columns) FROM work WHERE chain = ? ORDER BY step, position", .text(chainID))
    }

    /// Items in one of the states between a worker's return and the end: handed off or finishing.
    package func records(in state: WorkState) throws -> [WorkRecord] {
        try records(
            "SELECT \(WorkRecord.columns) FROM work WHERE state IN (3, 4) AND state = ? ORDER BY seq",
            .int(state.rawValue))
    }

    /// The queue, worker and conditions of an item.
    package func lane(of record: WorkRecord) throws -> Lane { try lanes.lane(record.laneNumber) }

    func records(_ sql: String, _ bindings: SQLiteBinding...) throws -> [WorkRecord] {
        var records: [WorkRecord] = []
        try connection.rows(sql, bindings) { records.append(WorkRecord($0)) }
        return records
    }

    package func meta(_ key: String) throws -> String? {
        try connection.first("SELECT value FROM meta WHERE key = ?", .text(key)) { $0.text(0) }
    }

    package func setMeta(_ key: String, _ value: String) throws {
        try connection.run("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", .text(key), .text(value))
    }

    /// Runs `body` so that all it wrote is undone when it throws, and only that.
    package func allOrNothing<Value>(_ body: () throws -> Value) throws -> Value {
        let before = summary
        try connection.run("SAVEPOINT part")
        do {
            let value = try body()
            try connection.run("RELEASE part")
            return value
        } catch {
            try connection.run("ROLLBACK TO part")
            try connection.run("RELEASE part")
            lanes.forget()
            summary = before
            throw error
        }
    }
}
