import BackgroundWorkModel

/// What one transaction claims for its scheduler: new work that starts at once, and waiting work.
struct ClaimRound {
    /// `nil` when nothing may be claimed.
    private(set) var rules: ClaimRules?
    private(set) var work: [ClaimedWork] = []
    /// Whether the claim groups seen so far may start, by number.
    private var admissions: [Int64: Bool] = [:]
    /// The newest of them: similar requests arrive together.
    private var lastAdmission: (claimGroup: Int64, isAdmitted: Bool)?
    /// What the limits leave for items that start at once; `nil` until an item under a limit has been checked.
    var quota: ClaimQuota?
    /// The outputs that are passed to the steps seen so far.
    var outputs: [StepKey: [String]] = [:]

    struct StepKey: Hashable {
        var chain: Int64
        var step: Int
    }

    init(rules: ClaimRules?) { self.rules = rules }

    var room: Int { (rules?.limit ?? 0) - work.count }

    /// How many more items would start at once.
    var freeSlots: Int { (rules?.freeSlots ?? 0) - work.count }

    /// The owner has been released: nothing more is claimed for it.
    mutating func close() { rules = nil }

    mutating func take(_ claimed: ClaimedWork) { work.append(claimed) }

    /// Gives back an item that this transaction has claimed; false if it has not claimed it.
    mutating func giveBack(_ key: RunKey) -> Bool {
        guard let index = work.lastIndex(where: { $0.record.runKey == key }) else { return false }
        work.remove(at: index)
        return true
    }

    /// Whether work of a claim group may start now, as far as only the claim group decides. Computed once for each
    /// claim group.
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

/// An item that this process has claimed to run.
package final class ClaimedWork: Sendable {
    /// As it was when it was claimed.
    package let record: WorkRecord
    /// Its queue, worker and conditions.
    package let claimGroup: ClaimGroup
    /// The outputs of the previous steps, in order.
    package let previousOutputs: [String]

    /// The concurrency limits that apply to it. It may have been claimed beyond them.
    package let limits: [LimitKey]

    init(record: WorkRecord, claimGroup: ClaimGroup, previousOutputs: [String], limits: [LimitKey] = []) {
        self.record = record
        self.claimGroup = claimGroup
        self.previousOutputs = previousOutputs
        self.limits = limits
    }
}
