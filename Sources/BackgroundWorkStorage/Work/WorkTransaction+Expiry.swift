import BackgroundWorkModel

extension WorkTransaction {
    /// The most items that one transaction ends because their time has passed.
    private static let batch = 256

    /// Skips items that could not start in time, and ends or retries hand-offs whose outcome has not arrived.
    ///
    /// - Returns: whether all of them have been ended; otherwise there are more than one transaction should end.
    func expire(_ rules: ClaimRules, _ claim: inout Claim) throws -> Bool {
        var late: [Int64] = []
        try connection.rows(
            "SELECT seq FROM expiries WHERE at <= ? ORDER BY at LIMIT ?", .int(rules.now.milliseconds),
            .int(Self.batch)
        ) { late.append($0.int(0)) }
        for sequence in late {
            // Others of the same chain may have been ended with the first.
            guard let current = try record(sequence: sequence) else { continue }
            switch current.status.state {
            case .pending, .blocked: try skip(current, now: rules.now)
            case .handedOff: try expireHandOff(current, rules)
            default: break
            }
        }
        if late.count == Self.batch { claim.look(at: rules.now) }
        return late.count < Self.batch
    }

    private func skip(_ record: WorkRecord, now: WallTime) throws {
        let isPastDeadline = record.options.deadline.map { $0 <= now } ?? false
        let limit = isPastDeadline ? "its deadline" : "the end of its window"
        _ = try apply(
            .tooLateToStart, to: record, message: "skipped, because \(limit) had passed before it could start",
            now: now)
    }

    private func expireHandOff(_ record: WorkRecord, _ rules: ClaimRules) throws {
        if settings.mayLeaveTransfers(record.workerName) { try requestCancellation(of: record.transferKey) }
        if let deadline = record.options.deadline, deadline <= rules.now {
            _ = try apply(
                .outcomeFinal(.failed), to: record,
                message: "the hand-off had no outcome when its deadline passed", now: rules.now)
            return
        }
        _ = try retryHandOff(
            record.transferKey, reason: "the hand-off had no outcome within its time limit", random: rules.random(),
            now: rules.now)
    }
}
