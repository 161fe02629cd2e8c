import BackgroundWorkModel

/// The lanes of a database, kept in memory: there are few, and none is ever changed or deleted.
///
/// Lives on its connection's queue, as that does.
final class LaneTable {
    private let connection: SQLiteConnection
    private var lanes: [Int64: Lane] = [:]
    private var numbers: [Lane: Int64] = [:]
    /// The one that was asked for last: requests of a kind come together.
    private var last: (lane: Lane, number: Int64)?

    init(connection: SQLiteConnection) { self.connection = connection }

    /// The lane's number, given to it if it is new.
    func number(of lane: Lane) throws -> Int64 {
        if let last, last.lane == lane { return last.number }
        if let known = numbers[lane] {
            last = (lane, known)
            return known
        }
        try connection.run(
            "INSERT OR IGNORE INTO lanes (queue, worker, constraints) VALUES (?, ?, ?)", .text(lane.queue),
            .text(lane.worker), .int(lane.constraints.rawValue))
        let number =
            try connection.first(
                "SELECT id FROM lanes WHERE queue = ? AND worker = ? AND constraints = ?", .text(lane.queue),
                .text(lane.worker), .int(lane.constraints.rawValue)
            ) { $0.int(0) } ?? 0
        keep(lane, number)
        return number
    }

    func lane(_ number: Int64) throws -> Lane {
        if let last, last.number == number { return last.lane }
        if let known = lanes[number] {
            last = (known, number)
            return known
        }
        let found = try connection.first("SELECT queue, worker, constraints FROM lanes WHERE id = ?", .int(number)) {
            Lane(queue: $0.text(0), worker: $0.text(1), constraints: Constraints(rawValue: Int($0.int(2))))
        }
        guard let found else { return Lane(queue: TaskRequest.defaultQueue, worker: "", constraints: []) }
        keep(found, number)
        return found
    }

    /// After a rollback: what was given out in it does not exist.
    func forget() {
        lanes = [:]
        numbers = [:]
        last = nil
    }

    private func keep(_ lane: Lane, _ number: Int64) {
        lanes[number] = lane
        numbers[lane] = number
    }
}
