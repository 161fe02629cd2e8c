import BackgroundWorkModel

/// The claim groups of a database, kept in memory: there are few, and none is ever changed or deleted.
///
/// Lives on its connection's queue, as that does.
final class ClaimGroupTable {
    private let connection: SQLiteConnection
    private var claimGroups: [Int64: ClaimGroup] = [:]
    private var numbers: [ClaimGroup: Int64] = [:]
    /// The one that was asked for last: requests of a kind come together.
    private var last: (claimGroup: ClaimGroup, number: Int64)?

    init(connection: SQLiteConnection) { self.connection = connection }

    /// The claim group's number, given to it if it is new.
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

    /// After a rollback: what was given out in it does not exist.
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
