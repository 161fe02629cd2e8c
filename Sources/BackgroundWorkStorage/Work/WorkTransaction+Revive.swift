import BackgroundWorkFiles
import BackgroundWorkModel

extension WorkTransaction {
    /// What a manual retry did.
    package enum ReviveAnswer: Sendable, Hashable {
        /// The number of items that run again, or wait again for those that do.
        case revived(items: Int)
        case nothingFailed
        case unknown
    }

    /// The progress of a step's requests, as the later steps see it.
    private enum Standing {
        case complete
        case open
        /// One of them has ended without success; what waits for it would wait forever.
        case ended
    }

    /// Retries what has failed, was cancelled or skipped: the item with this id, or all such members of a chain.
    /// Members that never ran because of it wait again, if all that they wait for can still succeed.
    ///
    /// Throws ``SecretsRemovedError`` if one of those would have to run without the secrets of its input.
    package func revive(id: String, now: WallTime) throws -> ReviveAnswer {
        let item = try record(id: id)
        let members = try item.map { try $0.chainSequence.map(records(chain:)) ?? [$0] } ?? records(chainID: id)
        if members.isEmpty { return .unknown }
        guard members.contains(where: { $0.flags.contains(.hasLostSecrets) }) else {
            return try revive(members, of: item, now: now).answer
        }
        return try allOrNothing {
            let (answer, lost) = try revive(members, of: item, now: now)
            if !lost.isEmpty { throw SecretsRemovedError(ids: lost) }
            return answer
        }
    }

    /// - Returns: also the items that have lost their secrets.
    private func revive(
        _ members: [WorkRecord], of item: WorkRecord?, now: WallTime
    ) throws -> (answer: ReviveAnswer, lost: [String]) {
        var lost: [String] = []
        let isWanted = try choice(of: item)
        var steps: [Int: Standing] = [:]
        var revived = 0
        // Steps wait for earlier ones only, so their state is known when it is needed.
        for record in members {
            let step = record.stepIndex
            let needs = try record.chainSequence.map { try tables.chains.predecessors(of: step, in: $0) } ?? []
            let before = worst(needs.map { steps[$0] ?? .complete })
            var standing = standing(of: record)
            if standing == .ended, before != .ended, isWanted(record),
                try begin(record, before == .open ? .blockedAgain : .revived, now: now)
            {
                revived += 1
                standing = .open
                if record.flags.contains(.hasLostSecrets) { lost.append(record.id) }
            }
            // Steps that it released at its hand-off stay released, whatever its own outcome.
            if record.flags.contains(.hasReleased) { standing = .complete }
            steps[step] = worst([steps[step] ?? .complete, standing])
        }
        if revived > 0, let chain = members.first?.chainSequence { try recount(chain) }
        return (revived == 0 ? .nothingFailed : .revived(items: revived), lost)
    }

    /// Which members to retry together with one: itself, and those after it that have not started. All members, if
    /// `item` is `nil`.
    private func choice(of item: WorkRecord?) throws -> (WorkRecord) -> Bool {
        guard let item else { return { _ in true } }
        guard standing(of: item) == .ended else { return { _ in false } }
        let after = try item.chainSequence.flatMap { try tables.chains.stepsAfter(item.stepIndex, in: $0) }
        return { record in
            if record.sequence == item.sequence { return true }
            guard record.startedAt == nil else { return false }
            return after?.contains(record.stepIndex) ?? (record.stepIndex > item.stepIndex)
        }
    }

    private func standing(of record: WorkRecord) -> Standing {
        if record.status.state == .succeeded { return .complete }
        return record.status.state.isFinished ? .ended : .open
    }

    private func worst(_ standings: [Standing]) -> Standing {
        standings.contains(.ended) ? .ended : standings.contains(.open) ? .open : .complete
    }

    private func begin(_ record: WorkRecord, _ change: WorkChange, now: WallTime) throws -> Bool {
        var record = record
        // A manual retry ends a pause of the transfer.
        record.flags.remove(.holdsTransfer)
        guard case .continues = try apply(change, to: record, Details(due: now), now: now) else { return false }
        if let path = record.trigger?.watchedPath { try watch(path, for: record.sequence) }
        return true
    }

    /// Members are retried, so steps that were complete no longer are.
    private func recount(_ chain: Int64) throws {
        var open: [Int: Int] = [:]
        var (unfinished, blocked) = (0, 0)
        for record in try records(chain: chain) {
            let isOpen = record.status.state != .succeeded && !record.flags.contains(.hasReleased)
            open[record.stepIndex, default: 0] += isOpen ? 1 : 0
            if !record.status.state.isFinished { unfinished += 1 }
            if record.status.state == .blocked { blocked += 1 }
        }
        try tables.chains.recount(chain, open: open, unfinished: unfinished, blocked: blocked)
    }
}
