import BackgroundWorkModel

/// A run of the index of due work: one priority, one claim group.
struct PriorityGroup {
    var priority: WorkPriority
    var number: Int64
    var claimGroup: ClaimGroup
}

extension WorkSnapshot {
    /// All priority groups with waiting work, the most urgent first.
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
