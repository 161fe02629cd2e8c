import BackgroundWorkModel

extension WorkTransaction {
    /// Which unfinished work to cancel.
    package enum CancelScope: Sendable, Hashable {
        case tag(String)
        case workerName(String)
        case all
    }

    /// What a cancellation by id did.
    package enum CancelAnswer: Sendable, Hashable {
        case cancelled(items: Int)
        case tooLate
        case alreadyFinished
        case unknown
    }

    /// Cancels an item, or a chain, and what waits for the end of that id.
    package func cancel(id: String, now: WallTime) throws -> CancelAnswer {
        let item = try record(id: id)
        let records = try item.map { [$0] } ?? records(chainID: id)
        if records.isEmpty { return .unknown }
        let eventsBefore = summary.events.count
        if records.contains(where: { $0.flags.contains(.isFollowed) }), item?.chainID == nil {
            try cancelAppended(id: id, message: "cancelled", now: now)
        }
        var isTooLate = false
        for record in records {
            let transition = try apply(.cancelled, to: record.transferKey, .init(message: "cancelled"), now: now)
            if transition == .refused(.tooLate) { isTooLate = true }
        }
        // Cancelling a member ends those after it as well, so the events are counted.
        let cancelled = summary.events.count - eventsBefore
        if cancelled == 0 { return isTooLate ? .tooLate : .alreadyFinished }
        return .cancelled(items: cancelled)
    }

    /// Cancels up to `limit` items after a position, and returns where to continue; `nil` when there are no more.
    package func cancel(
        _ scope: CancelScope, after place: Int64, limit: Int, now: WallTime
    ) throws -> (cancelled: Int, next: Int64?) {
        let found = try unfinished(scope, after: place, limit: limit)
        let eventsBefore = summary.events.count
        for record in found {
            // An earlier one's cancellation may have ended it.
            guard let current = try self.record(sequence: record.sequence) else { continue }
            if current.flags.contains(.isFollowed) {
                try cancelAppended(id: current.chainID ?? current.id, message: "cancelled", now: now)
            }
            _ = try apply(.cancelled, to: current, message: "cancelled", now: now)
        }
        return (summary.events.count - eventsBefore, found.count == limit ? found.last?.sequence : nil)
    }

    private func unfinished(_ scope: CancelScope, after place: Int64, limit: Int) throws -> [WorkRecord] {
        switch scope {
        case .tag(let tag):
            try records(
                """
                SELECT \(WorkRecord.columnsOfItem) FROM tags t CROSS JOIN items i ON i.seq = t.work \
                WHERE t.tag = ? AND t.work > ? AND i.state < 5 ORDER BY t.work LIMIT ?
                """,
                .text(tag), .int(place), .int(limit))
        case .workerName(let name):
            try records(
                """
                SELECT \(WorkRecord.columns) FROM items WHERE seq > ? \
                AND claim_group IN (SELECT id FROM claim_groups WHERE worker = ?) AND state < 5 ORDER BY seq LIMIT ?
                """,
                .int(place), .text(name), .int(limit))
        case .all:
            try records(
                "SELECT \(WorkRecord.columns) FROM items WHERE seq > ? AND state < 5 ORDER BY seq LIMIT ?", .int(place),
                .int(limit))
        }
    }
}
