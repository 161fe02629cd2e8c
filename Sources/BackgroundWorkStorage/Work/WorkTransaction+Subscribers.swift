import BackgroundWorkModel

extension WorkSnapshot {
    /// The owner that holds a subscriber's name.
    package func subscriberHolder(_ name: String) throws -> Int64? {
        try connection.first("SELECT owner FROM subscribers WHERE name = ? AND owner IS NOT NULL", .text(name)) {
            $0.int(0)
        }
    }

    /// The number of the newest event that `name` has acknowledged together with all before it.
    package func cursor(of name: String) throws -> Int64? {
        try connection.first("SELECT acknowledged FROM subscribers WHERE name = ?", .text(name)) { $0.int(0) }
    }

    /// Up to `limit` events after `sequence` that `name` has not acknowledged, in order. The first one says how many
    /// the retention limit has removed before they were read.
    package func eventPage(after sequence: Int64, for name: String, limit: Int) throws -> [TaskCompletionEvent] {
        // Events acknowledged out of order are covered by the cursor once the gap before them is closed.
        let start = max(sequence, try cursor(of: name) ?? 0)
        var page = try events(
            """
            SELECT \(EventTable.columns) FROM events WHERE seq > ?1 AND NOT EXISTS (
            SELECT 1 FROM acknowledgements WHERE name = ?2 AND acknowledgements.seq = events.seq) \
            ORDER BY seq LIMIT ?3
            """,
            .int(start), .text(name), .int(limit))
        guard let first = page.first, first.sequence > start + 1, let oldest = try oldestEvent() else { return page }
        page[0].missedBefore = max(0, oldest - 1 - start)
        return page
    }

    func oldestEvent() throws -> Int64? {
        try connection.first("SELECT min(seq) FROM events") { $0.optionalInt(0) } ?? nil
    }
}

extension WorkTransaction {
    /// Holds a subscriber's name for an owner, creating the subscriber if it is new. Returns a number that identifies
    /// this hold.
    package func holdSubscriber(_ name: String, owner: Int64) throws -> Int64 {
        let hold = Int64.random(in: 1...Int64.max)
        try connection.run(
            """
            INSERT INTO subscribers (name, acknowledged, owner, hold) VALUES (?1, 0, ?2, ?3) \
            ON CONFLICT (name) DO UPDATE SET owner = ?2, hold = ?3
            """,
            .text(name), .int(owner), .int(hold))
        return hold
    }

    /// Releases a name, if this hold is still the current one: a later holder keeps it.
    package func releaseSubscriber(_ name: String, owner: Int64, hold: Int64) throws {
        try connection.run(
            "UPDATE subscribers SET owner = NULL WHERE name = ? AND owner = ? AND hold = ?", .text(name), .int(owner),
            .int(hold))
    }

    /// Removes the name; it starts again when it is used again.
    package func removeSubscriber(_ name: String) throws {
        try connection.run("DELETE FROM subscribers WHERE name = ?", .text(name))
        try connection.run("DELETE FROM acknowledgements WHERE name = ?", .text(name))
    }

    /// Acknowledges one event; the cursor moves past the contiguous events that this completes.
    package func acknowledge(_ sequence: Int64, by name: String) throws {
        // The common case, by one statement.
        if try tables.subscribers.acknowledgeNext(sequence, by: name) { return }
        guard var cursor = try cursor(of: name), sequence > cursor else { return }
        if sequence > cursor + 1 {
            // Events that retention has removed will never be acknowledged, and do not stop the cursor.
            cursor = max(cursor, (try oldestEvent() ?? 0) - 1)
        }
        if sequence > cursor + 1 {
            try connection.run(
                "INSERT OR IGNORE INTO acknowledgements (name, seq) VALUES (?, ?)", .text(name), .int(sequence))
        } else {
            cursor = max(cursor, sequence)
        }
        while try connection.run(
            "DELETE FROM acknowledgements WHERE name = ? AND seq = ?", .text(name), .int(cursor + 1)) > 0
        {
            cursor += 1
        }
        if cursor > sequence {
            try connection.run("DELETE FROM acknowledgements WHERE name = ? AND seq <= ?", .text(name), .int(cursor))
        }
        try connection.run("UPDATE subscribers SET acknowledged = ? WHERE name = ?", .int(cursor), .text(name))
    }
}
