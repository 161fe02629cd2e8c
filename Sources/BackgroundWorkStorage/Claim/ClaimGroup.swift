import BackgroundWorkModel

/// The common properties of items that decide whether they may run now.
package struct ClaimGroup: Sendable, Hashable {
    package var queue: String
    package var worker: String
    package var constraints: Constraints
}

/// A range of the index of due work: one priority, one claim group.
struct PriorityGroup {
    var priority: WorkPriority
    var number: Int64
    var claimGroup: ClaimGroup
}

extension WorkSnapshot {
    /// All priority groups with waiting work, the highest priority first.
    func priorityGroups() throws -> [PriorityGroup] {
        var found: [PriorityGroup] = []
        for priority in WorkPriority.allCases.reversed() {
            for number in try tables.due.claimGroups(of: priority) {
                found.append(
                    PriorityGroup(priority: priority, number: number, claimGroup: try claimGroups.claimGroup(number)))
            }
        }
        return found
    }

    /// When the first item expires.
    func nextExpiry() throws -> WallTime? {
        try connection.first("SELECT at FROM expiries ORDER BY at LIMIT 1") { WallTime(milliseconds: $0.int(0)) }
    }
}

/// The claim groups of a database, kept in memory: there are few, and none is ever changed or deleted.
///
/// Used on its connection's queue only.
final class ClaimGroupTable {
    private let connection: SQLiteConnection
    private var claimGroups: [Int64: ClaimGroup] = [:]
    private var numbers: [ClaimGroup: Int64] = [:]
    /// That of the newest lookup: similar requests arrive together.
    private var last: (claimGroup: ClaimGroup, number: Int64)?

    init(connection: SQLiteConnection) { self.connection = connection }

    /// The claim group's number; a new claim group gets one.
    func number(of claimGroup: ClaimGroup) throws -> Int64 {
        if let last, last.claimGroup == claimGroup { return last.number }
        if let known = numbers[claimGroup] {
            last = (claimGroup, known)
            return known
        }
        try connection.run(
            "INSERT OR IGNORE INTO claim_groups (queue, worker, constraints) VALUES (?, ?, ?)", .text(claimGroup.queue),
            .text(claimGroup.worker), .int(claimGroup.constraints.rawValue))
        let number =
            try connection.first(
                "SELECT id FROM claim_groups WHERE queue = ? AND worker = ? AND constraints = ?",
                .text(claimGroup.queue),
                .text(claimGroup.worker), .int(claimGroup.constraints.rawValue)
            ) { $0.int(0) } ?? 0
        keep(claimGroup, number)
        return number
    }

    func claimGroup(_ number: Int64) throws -> ClaimGroup {
        if let last, last.number == number { return last.claimGroup }
        if let known = claimGroups[number] {
            last = (known, number)
            return known
        }
        let found = try connection.first(
            "SELECT queue, worker, constraints FROM claim_groups WHERE id = ?", .int(number)
        ) {
            ClaimGroup(queue: $0.text(0), worker: $0.text(1), constraints: Constraints(rawValue: Int($0.int(2))))
        }
        guard let found else { return ClaimGroup(queue: TaskRequest.defaultQueue, worker: "", constraints: []) }
        keep(found, number)
        return found
    }

    /// After a rollback: numbers that were assigned in it do not exist.
    func forget() {
        claimGroups = [:]
        numbers = [:]
        last = nil
    }

    private func keep(_ claimGroup: ClaimGroup, _ number: Int64) {
        claimGroups[number] = claimGroup
        numbers[claimGroup] = number
    }
}
