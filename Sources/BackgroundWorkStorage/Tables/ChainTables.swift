import BackgroundWorkModel

/// The shape of chains and their progress: counts, so that the end of a member costs the same in a chain of ten
/// thousand.
final class ChainTables {
    private let connection: SQLiteConnection
    private lazy var addingMember = statement("INSERT INTO members VALUES (?, ?, ?, ?)")
    // Read after the change: RETURNING would create a temporary table each time, at three times the cost.
    private lazy var endingMember = statement(
        "UPDATE chains SET unfinished = unfinished - ?3, worst = max(worst, ?2) WHERE seq = ?1")
    private lazy var seekingStanding = statement(
        "SELECT unfinished, blocked, worst, has_links FROM chains WHERE seq = ?")
    private lazy var unblocking = statement("UPDATE chains SET blocked = blocked - ?2 WHERE seq = ?1")
    private lazy var closingInStep = statement("UPDATE steps SET open = open - ?3 WHERE chain = ?1 AND step = ?2")
    private lazy var seekingOpen = statement("SELECT open FROM steps WHERE chain = ? AND step = ?")
    private lazy var releasing = statement("UPDATE steps SET released_at = ?3 WHERE chain = ?1 AND step = ?2")
    private lazy var listingStep = statement("SELECT seq FROM members WHERE chain = ? AND step = ? ORDER BY position")
    private lazy var addingStep = statement("INSERT INTO steps VALUES (?, ?, ?, ?)")

    /// The state of a chain after a member of it has ended.
    struct Standing {
        var unfinished: Int
        /// How many of these wait for another step.
        var blocked: Int
        var worst: WorkState
        var hasLinks: Bool
    }

    init(connection: SQLiteConnection) { self.connection = connection }

    /// A statement on these tables only, whose rows are never deferred.
    private func statement(_ sql: String) -> Result<SQLiteStatement, any Error> {
        Result { try connection.statement(sql, seesDeferredRows: false) }
    }

    func insert(_ chain: ChainSteps, sequence: Int64, now: WallTime) throws {
        try connection.run(
            "INSERT INTO chains VALUES (?, ?, ?, 0, ?)", .int(sequence), .int(chain.steps.joined().count),
            .int(
                chain.steps.indices.filter { !chain.predecessors(of: $0).isEmpty }
                    .reduce(0) { $0 + chain.steps[$1].count }), .int(chain.links == nil ? 0 : 1))
        for (step, requests) in chain.steps.enumerated() {
            let predecessors = chain.predecessors(of: step)
            let statement = try addingStep.get()
            statement.bind(1, sequence)
            statement.bind(2, step)
            statement.bind(3, requests.count)
            statement.bind(4, predecessors.isEmpty ? now.milliseconds : nil)
            try statement.run()
            guard chain.links != nil else { continue }
            for predecessor in predecessors {
                try connection.run(
                    "INSERT INTO chain_links VALUES (?, ?, ?)", .int(sequence), .int(predecessor), .int(step))
            }
        }
    }

    func insertMember(_ sequence: Int64, chain: Int64, step: Int, position: Int) throws {
        let statement = try addingMember.get()
        statement.bind(1, chain)
        statement.bind(2, step)
        statement.bind(3, position)
        statement.bind(4, sequence)
        try statement.run()
    }

    func delete(_ sequence: Int64) throws {
        for table in ["members", "steps", "chain_links"] {
            try connection.run("DELETE FROM \(table) WHERE chain = ?", .int(sequence))
        }
        try connection.run("DELETE FROM chains WHERE seq = ?", .int(sequence))
        try connection.run("DELETE FROM work WHERE seq = ?", .int(sequence))
    }

    // MARK: Progress

    /// Counts the end of a member, or of several with the same outcome.
    func memberEnded(of chain: Int64, as outcome: WorkOutcome, count: Int = 1) throws -> Standing? {
        let statement = try endingMember.get()
        statement.bind(1, chain)
        statement.bind(2, outcome == .succeeded ? 0 : WorkState(outcome).rawValue)
        statement.bind(3, count)
        return try statement.run() > 0 ? standing(of: chain) : nil
    }

    func standing(of chain: Int64) throws -> Standing? {
        let statement = try seekingStanding.get()
        statement.bind(1, chain)
        return try statement.first { Standing($0) }
    }

    /// This many members no longer wait for another step.
    func unblock(_ count: Int, of chain: Int64) throws {
        let statement = try unblocking.get()
        statement.bind(1, chain)
        statement.bind(2, count)
        try statement.run()
    }

    /// This many members of a step need not be waited for. True when that completes the step.
    func close(_ count: Int, in step: Int, of chain: Int64) throws -> Bool {
        let statement = try closingInStep.get()
        statement.bind(1, chain)
        statement.bind(2, step)
        statement.bind(3, count)
        return try statement.run() > 0 && isComplete(step, of: chain)
    }

    func isComplete(_ step: Int, of chain: Int64) throws -> Bool {
        let statement = try seekingOpen.get()
        statement.bind(1, chain)
        statement.bind(2, step)
        return try statement.first { $0.int(0) == 0 } ?? false
    }

    /// The members of a step may run from now on.
    func release(_ step: Int, of chain: Int64, now: WallTime) throws {
        let statement = try releasing.get()
        statement.bind(1, chain)
        statement.bind(2, step)
        statement.bind(3, now.milliseconds)
        try statement.run()
    }

    /// Sets the counts of a chain again, after members of it were retried.
    func recount(_ chain: Int64, open: [Int: Int], unfinished: Int, blocked: Int) throws {
        for (step, count) in open {
            try connection.run(
                "UPDATE steps SET open = ? WHERE chain = ? AND step = ?", .int(count), .int(chain), .int(step))
        }
        try connection.run(
            "UPDATE chains SET unfinished = ?, blocked = ?, worst = 0 WHERE seq = ?", .int(unfinished), .int(blocked),
            .int(chain))
    }

    // MARK: Shape

    /// The items of a step, in order.
    func members(of step: Int, in chain: Int64) throws -> [Int64] {
        let statement = try listingStep.get()
        statement.bind(1, chain)
        statement.bind(2, step)
        var found: [Int64] = []
        try statement.rows { found.append($0.int(0)) }
        return found
    }

    func predecessors(of step: Int, in chain: Int64) throws -> [Int] {
        guard try hasLinks(chain) else { return step == 0 ? [] : [step - 1] }
        return try numbers(
            "SELECT predecessor FROM chain_links WHERE chain = ? AND step = ? ORDER BY predecessor", chain, step)
    }

    func successors(of step: Int, in chain: Int64, hasLinks: Bool) throws -> [Int] {
        guard hasLinks else { return [step + 1] }
        return try numbers(
            "SELECT step FROM chain_links WHERE chain = ? AND predecessor = ? ORDER BY step", chain, step)
    }

    /// The steps that cannot start without this one; `nil` for all later ones.
    func stepsAfter(_ step: Int, in chain: Int64) throws -> Set<Int>? {
        guard try hasLinks(chain) else { return nil }
        var found: Set<Int> = []
        var open = [step]
        while let next = open.popLast() {
            for successor in try successors(of: next, in: chain, hasLinks: true)
            where found.insert(successor).inserted {
                open.append(successor)
            }
        }
        return found
    }

    private func hasLinks(_ chain: Int64) throws -> Bool {
        try connection.first("SELECT has_links FROM chains WHERE seq = ?", .int(chain)) { $0.int(0) != 0 } ?? false
    }

    private func numbers(_ sql: String, _ chain: Int64, _ step: Int) throws -> [Int] {
        var found: [Int] = []
        try connection.rows(sql, .int(chain), .int(step)) { found.append(Int($0.int(0))) }
        return found
    }
}

extension ChainTables.Standing {
    fileprivate init(_ row: borrowing SQLiteRow) {
        unfinished = Int(row.int(0))
        blocked = Int(row.int(1))
        worst = WorkState(rawValue: Int(row.int(2))) ?? .blocked
        hasLinks = row.int(3) != 0
    }
}
