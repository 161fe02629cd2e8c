import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers

/// When hosts want to be launched.
extension Journal {
    /// By store, the earliest first.
    func wakes() throws -> [String: WakeList] {
        var wakes: [String: WakeList] = [:]
        try connection.rows("SELECT store, earliest, needs FROM wakes ORDER BY store, earliest, needs") { row in
            let request = WakeRequest(
                earliest: WallTime(milliseconds: row.int(1)), needs: Constraints(rawValue: Int(row.int(2))))
            wakes[row.text(0), default: []].times.append(request)
        }
        try connection.rows("SELECT store, path, stamp FROM watched_files ORDER BY store, path, stamp") { row in
            wakes[row.text(0), default: []].files.append(FileWakeRequest(path: row.text(1), stamp: row.text(2)))
        }
        return wakes
    }

    /// Replaces what the store asked for before, and deletes the wakes of `abandoned` stores. Of requests with the same
    /// needs only the earliest counts. Unchanged rows are not written again.
    func setWakes(_ wakes: WakeList, of store: String, forgetting abandoned: Set<String>) throws {
        for other in abandoned {
            try connection.run("DELETE FROM wakes WHERE store = ?", .text(other))
            try connection.run("DELETE FROM watched_files WHERE store = ?", .text(other))
        }
        try setTimes(wakes.times, of: store)
        try setFiles(Set(wakes.files), of: store)
    }

    private func setTimes(_ times: [WakeRequest], of store: String) throws {
        let wanted = Dictionary(times.map { ($0.needs, $0.earliest) }, uniquingKeysWith: min)
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

    private func setFiles(_ files: Set<FileWakeRequest>, of store: String) throws {
        var known: Set<FileWakeRequest> = []
        try connection.rows("SELECT path, stamp FROM watched_files WHERE store = ?", .text(store)) { row in
            known.insert(FileWakeRequest(path: row.text(0), stamp: row.text(1)))
        }
        for gone in known.subtracting(files) {
            try connection.run(
                "DELETE FROM watched_files WHERE store = ? AND path = ? AND stamp = ?", .text(store), .text(gone.path),
                .text(gone.stamp))
        }
        for new in files.subtracting(known) {
            try connection.run(
                "INSERT INTO watched_files(store, path, stamp) VALUES(?, ?, ?)", .text(store), .text(new.path),
                .text(new.stamp))
        }
    }
}
