import BackgroundWorkModel

extension WorkTransaction {
    /// A file that work waits for, and its stamp when that was last taken: first in the transaction that enqueued it.
    package struct WatchedFile: Sendable, Hashable {
        package var path: String
        package var stamp: String?
    }

    package func watchedFiles() throws -> [WatchedFile] {
        var files: [WatchedFile] = []
        try connection.rows("SELECT DISTINCT watched, file_stamp FROM work WHERE watched IS NOT NULL") {
            files.append(WatchedFile(path: $0.text(0), stamp: $0.optionalText(1)))
        }
        return files
    }

    /// A watched file has changed: waiting work is due after its debounce, counted from now; running work runs once
    /// more afterwards.
    package func fileChanged(_ path: String, stamp: String, now: WallTime) throws {
        let waiting = try records(
            "SELECT \(WorkRecord.columns) FROM work WHERE watched IS NOT NULL AND watched = ?", .text(path))
        for record in waiting {
            guard case .fileChanged(_, let debounce) = record.trigger else { continue }
            let due = now.advanced(byMs: debounce.milliseconds)
            // Between two attempts the retry's own wait stands; a change makes it due once more afterwards.
            let isAtRest = record.status.state == .pending && record.status.attempt == 0
            try connection.run(
                isAtRest
                    ? "UPDATE work SET due = ?1, file_stamp = ?2 WHERE seq = ?3"
                    : "UPDATE work SET triggered_at = ?1, file_stamp = ?2 WHERE seq = ?3",
                .int(due.milliseconds), .text(stamp), .int(record.sequence))
            summary.changed.append(record.id)
            summary.mayHaveDueWork = true
        }
    }
}
