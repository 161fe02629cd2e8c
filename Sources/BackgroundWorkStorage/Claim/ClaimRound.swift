import BackgroundWorkModel

/// What one transaction claims for its scheduler: new work that begins at once, and what was waiting.
struct ClaimRound {
    /// `nil` when nothing may be claimed.
    private(set) var rules: ClaimRules?
    private(set) var work: [ClaimedWork] = []
    /// Whether the claim groups seen so far may begin, by number.
    private var admissions: [Int64: Bool] = [:]
    /// The newest of them: requests of a kind come together.
    private var lastAdmission: (claimGroup: Int64, isAdmitted: Bool)?
    /// What the limits leave for what begins at once; `nil` until something under a limit has asked.
    var quota: ClaimQuota?
    /// The outputs that the steps seen so far find.
    var outputs: [StepKey: [String]] = [:]

    struct StepKey: Hashable {
        var chain: Int64
        var step: Int
    }

    init(rules: ClaimRules?) { self.rules = rules }

    var room: Int { (rules?.limit ?? 0) - work.count }

    /// How many more would begin at once.
    var freeSlots: Int { (rules?.freeSlots ?? 0) - work.count }

    /// The owner has given up: nothing more is claimed for it.
    mutating func close() { rules = nil }

    mutating func take(_ claimed: ClaimedWork) { work.append(claimed) }

    /// Gives back what this transaction has claimed. True when it had.
    mutating func giveBack(_ key: RunKey) -> Bool {
        guard let index = work.lastIndex(where: { $0.record.runKey == key }) else { return false }
        work.remove(at: index)
        return true
    }

    /// Whether work of a claim group may begin now, as far as only the claim group decides. Asked once for each claim group.
    mutating func admits(_ claimGroup: Int64, _ judge: (ClaimRules) throws -> Bool) rethrows -> Bool {
        guard let rules else { return false }
        if let lastAdmission, lastAdmission.claimGroup == claimGroup { return lastAdmission.isAdmitted }
        let isAdmitted = try admissions[claimGroup] ?? judge(rules)
        admissions[claimGroup] = isAdmitted
        lastAdmission = (claimGroup, isAdmitted)
        return isAdmitted
    }

    mutating func forgetAdmissions() {
        quota = nil
        admissions = [:]
        lastAdmission = nil
    }
}

/// An item that this process has taken to run.
package final class ClaimedWork: Sendable {
    /// As it was when it was claimed.
    package let record: WorkRecord
    /// Its queue, worker and conditions.
    package let claimGroup: ClaimGroup
    /// The outputs of the steps before, in order.
    package let previousOutputs: [String]

    /// The limits on what runs at the same time that hold for it. It may have been claimed beyond them.
    package let limits: [LimitKey]

    init(record: WorkRecord, claimGroup: ClaimGroup, previousOutputs: [String], limits: [LimitKey] = []) {
        self.record = record
        self.claimGroup = claimGroup
        self.previousOutputs = previousOutputs
        self.limits = limits
    }
}
