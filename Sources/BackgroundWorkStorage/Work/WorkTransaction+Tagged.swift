import BackgroundWorkModel

extension WorkSnapshot {
    /// An item that bears a tag: as little of it as tells how far it is, so that many are looked at cheaply.
    package struct Tagged: Sendable, Hashable {
        package var key: TransferKey
        package var state: WorkState
        fileprivate var sequence: Int64
    }

    /// Whether work with a tag is left to do.
    package enum TagStanding: Sendable, Hashable {
        /// No item bears the tag.
        case unknown
        case unfinished
        case finished
    }

    /// All items that bear a tag, in the order of enqueueing.
    package func tagged(_ tag: String) throws -> [Tagged] {
        var found: [Tagged] = []
        try connection.rows(
            """
            SELECT i.seq, i.id, i.generation, i.state FROM tags t CROSS JOIN items i ON i.seq = t.work \
            WHERE t.tag = ? ORDER BY t.work
            """,
            [.text(tag)]
        ) { row in
            found.append(
                Tagged(
                    key: TransferKey(workID: row.text(1), generation: row.int(2)),
                    state: WorkState(rawValue: Int(row.int(3))) ?? .pending, sequence: row.int(0)))
        }
        return found
    }

    /// What the item has given.
    package func output(of item: Tagged) throws -> String? {
        try connection.first("SELECT output FROM items WHERE seq = ?", .int(item.sequence)) { $0.optionalText(0) }
            ?? nil
    }

    package func standing(ofTag tag: String) throws -> TagStanding {
        let unfinished = try connection.first(
            """
            SELECT 1 FROM tags t CROSS JOIN items i ON i.seq = t.work WHERE t.tag = ? AND i.state < 5 LIMIT 1
            """,
            .text(tag)
        ) { _ in true }
        if unfinished ?? false { return .unfinished }
        return try connection.first("SELECT 1 FROM tags WHERE tag = ? LIMIT 1", .text(tag)) { _ in true } ?? false
            ? .finished : .unknown
    }
}
