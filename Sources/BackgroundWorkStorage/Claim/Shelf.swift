import BackgroundWorkModel

/// A run of the index of due work: one priority, one lane.
struct Shelf {
    var priority: WorkPriority
    var number: Int64
    var lane: Lane
}

extension WorkSnapshot {
    /// All shelves with waiting work, the most urgent first.
    func shelves() throws -> [Shelf] {
        var found: [Shelf] = []
        for priority in WorkPriority.allCases.reversed() {
            for number in try tables.due.lanes(of: priority) {
                found.append(Shelf(priority: priority, number: number, lane: try lanes.lane(number)))
            }
        }
        return found
    }

    /// When the first item expires.
    func nextExpiry() throws -> WallTime? {
        try connection.first("SELECT at FROM expiries ORDER BY at LIMIT 1") { WallTime(milliseconds: $0.int(0)) }
    }
}
