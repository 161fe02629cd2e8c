import BackgroundWorkModel

extension WorkSnapshot {
    /// A file that work waits for, and its newest stamp; `nil` if none was taken.
    package struct WatchedFile: Sendable, Hashable {
        package var path: String
        package var stamp: String?
    }

    package func watchedFiles() throws -> [WatchedFile] {
        var files: [WatchedFile] = []
        try connection.rows("SELECT DISTINCT path, stamp FROM watched") {
            files.append(WatchedFile(path: $0.text(0), stamp: $0.optionalText(1)))
        }
        return files
    }

    /// The files that work in queues that are not paused waits for, each with its stamps, as far as they were taken.
    package func awaitedFiles(onlyWorkers: Set<String>? = nil) throws -> [WatchedFile] {
        let paused = try pausedQueues()
        var files: [WatchedFile] = []
        try connection.rows(
            """
            SELECT DISTINCT f.path, f.stamp, w.claim_group FROM watched f JOIN work w ON w.seq = f.seq \
            WHERE f.stamp IS NOT NULL ORDER BY f.path, f.stamp
            """
        ) { row in
            let claimGroup = try claimGroups.claimGroup(row.int(2))
            guard !paused.contains(claimGroup.queue), onlyWorkers?.contains(claimGroup.worker) != false else { return }
            let file = WatchedFile(path: row.text(0), stamp: row.text(1))
            if files.last != file { files.append(file) }
        }
        return files
    }
}

extension WorkTransaction {
    /// An item waits for changes of a file. Its stamp is taken outside of any transaction, since the inspection of a
    /// path may hang with its volume.
    ///
    /// - Parameter stamp: `nil` if it is not known: the next inspection of the file only stores it.
    func watch(_ path: String, stamp: String? = nil, for sequence: Int64) throws {
        try connection.run(
            "INSERT OR REPLACE INTO watched VALUES (?, ?, ?)", .text(path), .int(sequence), .optional(stamp))
        summary.watchedPathsChanged = true
    }

    /// A watched file has changed: waiting work is due after its debounce, counted from now; running work runs once
    /// more afterwards.
    package func fileChanged(_ path: String, stamp: String, now: WallTime) throws {
        let waiting = try records(
            """
            SELECT \(WorkRecord.columnsOfItem) FROM watched f CROSS JOIN items i ON i.seq = f.seq WHERE f.path = ?
            """,
            .text(path))
        try connection.run("UPDATE watched SET stamp = ? WHERE path = ?", .text(stamp), .text(path))
        summary.scheduleChanged = true
        for record in waiting {
            guard case .fileChanged(_, let debounce) = record.trigger else { continue }
            var changed = record
            let due = now.advanced(byMs: debounce.milliseconds)
            // Between two attempts the retry's own wait is kept; a change makes it due once more afterwards.
            if record.status.state == .pending, record.status.attempt == 0 {
                changed.due = due
                try relocate(record, to: &changed)
            } else {
                changed.triggeredAt = due
                try carry(&changed)
                try noteTouch(of: changed)
            }
            summary.changed.append(record.id)
        }
    }

    /// The first stamp of a file, for work that was enqueued without one.
    package func noteStamp(of path: String, _ stamp: String) throws {
        try connection.run("UPDATE watched SET stamp = ? WHERE path = ? AND stamp IS NULL", .text(stamp), .text(path))
        summary.scheduleChanged = true
    }
}
