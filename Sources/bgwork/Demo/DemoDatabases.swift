import BackgroundWorkModel
import BackgroundWorkStorage
import Foundation

/// The content of the two databases and the state file, read by the demo itself.
struct DemoDatabases {
    var folder: DemoFolder

    struct Event: Hashable {
        var workID: String
        var outcome: String
        var message: String
    }

    /// The events of the work database, in order.
    func events() throws -> [Event] {
        try rows(folder.workDatabase, "SELECT work_id, outcome, coalesce(message, '') FROM events ORDER BY seq") {
            Event(
                workID: $0.text(0), outcome: WorkState(rawValue: Int($0.int(1))).map { "\($0)" } ?? "",
                message: $0.text(2))
        }
    }

    /// The work items that have not succeeded.
    func unfinishedItems() throws -> [String] {
        try rows(folder.workDatabase, "SELECT id FROM items WHERE state <> 5") { $0.text(0) }
    }

    /// Whether the item's transfer is handed off according to the work database; false while the database cannot be
    /// read.
    func isHandedOff(_ id: String) -> Bool {
        let states = try? rows(folder.workDatabase, "SELECT id, state FROM items") { ($0.text(0), $0.int(1)) }
        return states?.contains { $0 == (id, 3) } ?? false
    }

    /// How many events no host has acknowledged.
    func undeliveredEvents() throws -> Int {
        try rows(
            folder.workDatabase,
            "SELECT count(*) FROM events WHERE seq > (SELECT coalesce(max(acknowledged), 0) FROM subscribers)"
        ) { Int($0.int(0)) }.first ?? 0
    }

    /// The number of due wakes for which the agent would launch a host if none is connected; `nil` while the journal
    /// cannot be read.
    func dueWakes() -> Int? {
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        return try? rows(folder.journal, "SELECT earliest FROM wakes") { $0.int(0) }.filter { $0 <= now }.count
    }

    /// How many wakes the agent's journal holds.
    func wakes() throws -> Int {
        try rows(folder.journal, "SELECT count(*) FROM wakes") { Int($0.int(0)) }.first ?? 0
    }

    /// How many transfers the agent's journal still holds.
    func journaledTransfers() throws -> Int {
        try rows(folder.journal, "SELECT count(*) FROM transfers") { Int($0.int(0)) }.first ?? 0
    }

    /// How many transfers are active in the agent's journal.
    func activeTransfers() throws -> Int {
        try rows(folder.journal, "SELECT count(*) FROM transfers WHERE state = 'active'") { Int($0.int(0)) }.first ?? 0
    }

    /// How many entries the state file still holds.
    func stateEntries() throws -> Int {
        struct StateFile: Decodable { var entries: [String: JSONValue]? }
        let text = try String(contentsOfFile: folder.stateFile, encoding: .utf8)
        return try JSONCoding.value(StateFile.self, from: text).entries?.count ?? 0
    }

    private func rows<Value>(
        _ path: String, _ sql: String, _ read: (borrowing SQLiteRow) -> Value
    ) throws -> [Value] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        var values: [Value] = []
        try SQLiteConnection(path: path, mode: .readOnly).rows(sql) { values.append(read($0)) }
        return values
    }
}
