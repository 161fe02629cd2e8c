import BackgroundWorkModel

extension WorkRecord {
    /// The columns of the view `items`.
    static let columns = """
        seq, id, chain, chain_seq, step, position, claim_group, priority, flags, input, extras, enqueued_at, generation, \
        attempt, deaths, due, owner, message, output, move, hand_off_expires, finished_at, occurrence, planned, \
        started_at, triggered_at, checkpoint, progress, is_carried, state, exits
        """

    init(_ row: borrowing SQLiteRow, claimGroup: ClaimGroup, _ extras: WorkExtras) {
        let state = WorkState(rawValue: Int(row.int(29))) ?? .failed
        self.init(
            sequence: row.int(0), id: row.text(1), chainID: row.optionalText(2), chainSequence: row.optionalInt(3),
            stepIndex: Int(row.int(4)), position: Int(row.int(5)), workerName: claimGroup.worker,
            inputJSON: row.optionalText(9), retryPolicy: extras.retryPolicy ?? WorkExtras.usualRetryPolicy,
            status: WorkStatus(
                state: state, generation: row.int(12), attempt: Int(row.int(13)), deaths: Int(row.int(14)),
                exits: Int(row.int(30))),
            priority: WorkPriority(rawValue: Int(row.int(7))) ?? .normal, due: WallTime(milliseconds: row.int(15)),
            owner: row.optionalInt(16), enqueuedAt: WallTime(milliseconds: row.int(11)), claimGroupNumber: row.int(6),
            flags: WorkFlags(rawValue: Int(row.int(8))), occurrence: Int(row.int(22)), startedAt: row.optionalTime(24),
            isCarried: row.int(28) != 0,
            rare: Rare(
                message: row.optionalText(17), outputJSON: row.optionalText(18),
                moveJSON: row.optionalText(19), handOffExpires: row.optionalTime(20),
                finishedAt: state.isFinished ? row.optionalTime(21) : nil,
                options: extras.options, trigger: extras.trigger, planned: row.optionalTime(23) ?? extras.planned,
                triggeredAt: row.optionalTime(25), checkpoint: row.optionalText(26),
                progress: row.optionalText(27).flatMap { try? JSONCoding.value(from: $0) },
                securityPolicy: extras.securityPolicy))
    }

    /// An item as it has just been stored.
    init(_ row: WorkTable.NewRow, _ item: NewItem) {
        self.init(
            sequence: row.sequence, id: row.id, chainID: item.chain?.id, chainSequence: row.chain?.sequence,
            stepIndex: row.chain?.step ?? 0, position: row.chain?.position ?? 0, workerName: item.claimGroup.worker,
            inputJSON: row.input, retryPolicy: item.request.retryPolicy,
            status: WorkStatus(state: item.state, generation: row.generation, attempt: 0, deaths: 0),
            priority: row.priority, due: row.due, owner: nil, enqueuedAt: row.enqueuedAt,
            claimGroupNumber: row.claimGroup,
            flags: row.flags, occurrence: 0, startedAt: nil, isCarried: false,
            rare: row.extras == nil
                ? nil
                : Rare(
                    options: item.extras.options, trigger: item.extras.trigger, planned: item.extras.planned,
                    securityPolicy: item.extras.securityPolicy))
    }
}

extension SQLiteRow {
    fileprivate func optionalTime(_ column: Int) -> WallTime? {
        optionalInt(column).map(WallTime.init(milliseconds:))
    }
}

/// Creates items from rows. Used on its connection's queue only.
final class RecordReader {
    private let claimGroups: ClaimGroupTable
    /// Similar requests come together, and usually have the same options.
    private let lastExtras = LastDecoded { try WorkExtras(stored: $0) }

    init(_ claimGroups: ClaimGroupTable) { self.claimGroups = claimGroups }

    /// - Parameter row: of the view `items`, with ``WorkRecord/columns``.
    func record(_ row: borrowing SQLiteRow) throws -> WorkRecord {
        WorkRecord(row, claimGroup: try claimGroups.claimGroup(row.int(6)), extras(row.optionalText(10)))
    }

    private func extras(_ text: String?) -> WorkExtras {
        guard var text else { return WorkExtras() }
        return text.withUTF8 { try? lastExtras.value(from: $0) } ?? WorkExtras()
    }
}
