import BackgroundWorkModel

extension WorkSnapshot {
    /// Whether the transfer of the item with this id is to be held. Asked at each hand-off, so it does not read the whole
    /// item.
    package func holdsTransfer(of id: String) throws -> Bool {
        let flags = try connection.first(
            "SELECT w.flags | coalesce(a.flags, 0) FROM work w LEFT JOIN carried a ON a.seq = w.seq WHERE w.id = ?",
            .text(id)
        ) { WorkFlags(rawValue: Int($0.int(0))) }
        return flags?.contains(.holdsTransfer) ?? false
    }
}

extension WorkTransaction {
    /// Notes whether the transfer of an unfinished item is to be held, and returns the item as it was; `nil` if it is
    /// not known.
    package func hold(_ isHeld: Bool, transferOf id: String) throws -> WorkRecord? {
        guard let record = try record(id: id) else { return nil }
        guard record.flags.contains(.holdsTransfer) != isHeld, !record.status.state.isFinished,
            record.status.state != .finishing
        else { return record }
        try setHold(isHeld, record)
        summary.changed.append(id)
        return record
    }

    private func setHold(_ isHeld: Bool, _ record: WorkRecord) throws {
        var held = record
        held.flags = isHeld ? record.flags.union(.holdsTransfer) : record.flags.subtracting(.holdsTransfer)
        try carry(&held)
        try noteTouch(of: held)
    }
}
