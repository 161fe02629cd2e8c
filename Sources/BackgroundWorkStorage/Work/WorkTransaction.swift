import BackgroundWorkModel

/// The operations of the work store, run inside one transaction. One instance lives as long as its connection, on the
/// writer's queue; ``begin(_:)`` resets what belongs to a single transaction.
package final class WorkTransaction: WorkSnapshot {
    package internal(set) var summary = CommitSummary()
    /// What the scheduler behind this writer can take in this transaction.
    var round = ClaimRound(rules: nil)
    /// Whether due work may be waiting, so that new work has to wait behind it, and a claim pass is needed. Stays
    /// true until a claim pass has found none; it outlives the transaction.
    var mayHaveDueWork = true
    /// Due work waited for the end of other work, at the last claim pass.
    var isHeldBack = false
    /// The scheduler behind this writer, once it has one.
    var ownOwner: Int64?
    /// What is known of the worker of the most recent claim group: whether its runs may leave transfers with the daemon,
    /// and its inputs have secrets.
    var lastOfClaimGroup: (claimGroup: Int64, mayLeaveTransfers: Bool, mayHaveSecrets: Bool)?
    private var nextSequence: Int64?
    private var generationFloor: Int64?
    private var pausedNow: Set<String>?
    private var limitsNow: WorkLimits?

    /// Resets the state of the previous transaction.
    func begin(_ rules: ClaimRules?) {
        summary = CommitSummary()
        round = ClaimRound(rules: rules)
        nextSequence = nil
        generationFloor = nil
        pausedNow = nil
        limitsNow = nil
        tables.events.forgetNumbers()
    }

    /// The changes of the transaction, now that it is committed.
    func finished() -> CommitSummary {
        summary.claimed = round.work
        return summary
    }

    /// After a rollback: cached values of the database may be wrong.
    func forget() {
        claimGroups.forget()
        lastOfClaimGroup = nil
        mayHaveDueWork = true
        tables.events.forgetNumbers()
    }

    package func setMeta(_ key: String, _ value: String) throws {
        try connection.run("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", .text(key), .text(value))
    }

    /// Runs `body` so that all it wrote is undone when it throws, and only that.
    package func allOrNothing<Value>(_ body: () throws -> Value) throws -> Value {
        let (summaryBefore, roundBefore) = (summary, round)
        try connection.run("SAVEPOINT part")
        do {
            let value = try body()
            try connection.run("RELEASE part")
            return value
        } catch {
            try connection.run("ROLLBACK TO part")
            try connection.run("RELEASE part")
            forget()
            (nextSequence, generationFloor, pausedNow, limitsNow) = (nil, nil, nil, nil)
            (summary, round) = (summaryBefore, roundBefore)
            throw error
        }
    }

    // MARK: Numbers

    /// A number for a new row. No number is used twice, since events refer to rows that were deleted.
    func newSequence() throws -> Int64 {
        let next = try nextSequence ?? firstFreeSequence()
        nextSequence = next + 1
        return next
    }

    private func firstFreeSequence() throws -> Int64 {
        let floor = try meta(MetaKey.sequenceFloor).flatMap { Int64($0) } ?? 0
        let rows = try connection.first("SELECT max(seq) FROM work") { $0.int(0) } ?? 0
        let events = try connection.first("SELECT max(work) FROM events") { $0.int(0) } ?? 0
        return max(floor, rows, events) + 1
    }

    /// Rows with numbers up to this one were deleted.
    func keepFree(upTo sequence: Int64) throws {
        let floor = try meta(MetaKey.sequenceFloor).flatMap { Int64($0) } ?? 0
        if sequence > floor { try setMeta(MetaKey.sequenceFloor, "\(sequence)") }
    }

    /// Generations grow across replacements and pruning, so that a late outcome never applies to later work with the
    /// same id.
    func nextGeneration(after existing: [WorkRecord] = []) throws -> Int64 {
        let floor = try generationFloor ?? (meta(MetaKey.generationFloor).flatMap { Int64($0) } ?? 0)
        generationFloor = floor
        return max(floor, existing.map(\.status.generation).max() ?? 0) + 1
    }

    func raiseGenerationFloor(to generation: Int64) throws {
        let floor = try nextGeneration() - 1
        guard generation > floor else { return }
        try setMeta(MetaKey.generationFloor, "\(generation)")
        generationFloor = generation
    }

    // MARK: Pauses and limits

    /// The paused queues, read once in a transaction.
    func paused() throws -> Set<String> {
        if let pausedNow { return pausedNow }
        let paused = try pausedQueues()
        pausedNow = paused
        return paused
    }

    /// The limits in force: those of the configuration, and those that were set at run time.
    func limits(_ rules: ClaimRules) throws -> WorkLimits {
        if let limitsNow { return limitsNow }
        let limits = try limitsInForce(rules.limits)
        limitsNow = limits
        return limits
    }

    /// After a change of queues or limits.
    func forgetHolds() {
        pausedNow = nil
        limitsNow = nil
        round.forgetAdmissions()
        mayHaveDueWork = true
    }
}
