import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers

/// When hosts want to be launched.
extension Journal {
    /// By store, the earliest first.
    func wakes() throws -> [String: [WakeRequest]] {
        var wakes: [String: [WakeRequest]] = [:]
        try connection.rows("SELECT store, earliest, needs FROM wakes ORDER BY store, earliest, needs") { row in
            let request = WakeRequest(
                earliest: WallTime(milliseconds: row.int(1)), needs: Constraints(rawValue: Int(row.int(2))))
            wakes[row.text(0), default: []].append(request)
        }
        return wakes
    }

    /// Takes the place of what the store asked for before, and forgets `abandoned` stores. Of requests with the same
    /// needs only the earliest counts. What is the same as before is not written again.
    func setWakes(_ requests: [WakeRequest], of store: String, forgetting abandoned: Set<String>) throws {
        for other in abandoned { try connection.run("DELETE FROM wakes WHERE store = ?", .text(other)) }
        let wanted = Dictionary(requests.map { ($0.needs, $0.earliest) }, uniquingKeysWith: min)
        var known: [Constraints: WallTime] = [:]
        try connection.rows("SELECT needs, earliest FROM wakes WHERE store = ?", .text(store)) { row in
            known[Constraints(rawValue: Int(row.int(0)))] = WallTime(milliseconds: row.int(1))
        }
        guard wanted != known else { return }
        try connection.run("DELETE FROM wakes WHERE store = ?", .text(store))
        for (needs, earliest) in wanted {
            try connection.run(
                "INSERT INTO wakes(store, needs, earliest) VALUES(?, ?, ?)",
                .text(store), .int(needs.rawValue), .int(earliest.milliseconds))
        }
    }
}
