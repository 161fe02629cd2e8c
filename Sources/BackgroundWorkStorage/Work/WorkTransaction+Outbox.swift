import BackgroundWorkModel

extension WorkTransaction {
    /// Asks for a transfer's cancellation, together with what made it needless.
    package func requestCancellation(of key: TransferKey) throws {
        try connection.run("INSERT INTO outbox (cancel_transfer) VALUES (?)", .text(key.description))
        summary.hasOutbox = true
    }

    package func removeFromOutbox(_ sequence: Int64) throws {
        try connection.run("DELETE FROM outbox WHERE seq = ?", .int(sequence))
    }
}

extension WorkSnapshot {
    /// The cancellations that the daemon has not confirmed, in order.
    package func outbox() throws -> [(sequence: Int64, key: TransferKey)] {
        var rows: [(sequence: Int64, key: TransferKey)] = []
        try connection.rows("SELECT seq, cancel_transfer FROM outbox ORDER BY seq") { row in
            if let key = TransferKey(row.text(1)) { rows.append((row.int(0), key)) }
        }
        return rows
    }
}
