import BackgroundWorkFiles
import BackgroundWorkModel

extension WorkTransaction {
    /// What a retry by hand did.
    package enum ReviveAnswer: Sendable, Hashable {
        /// So many items run again, or wait again for those that do.
        case revived(items: Int)
        case nothingFailed
        case unknown
    }

    /// Takes up again what has failed, was cancelled or skipped: the item of that id, or all such members of a chain.
    /// What never ran because of it waits again.
    package func revive(id: String, now: WallTime) throws -> ReviveAnswer {
        let item = try record(id: id)
        let members = try item.map { try $0.chainID.map(records(chainID:)) ?? [$0] } ?? records(chainID: id)
        if members.isEmpty { return .unknown }
        let wanted = item.map { [$0] } ?? members
        // Members that never began waited for another one; that other one is what has to run.
        let causes = wanted.filter { $0.status.state.isFinished && $0.status.state != .succeeded && !neverBegan($0) }
        let roots = causes.isEmpty ? wanted.filter { isRoot($0, of: members) } : causes
        var revived: Set<Int64> = []
        for record in roots {
            guard try begin(record, .revived, now: now) else { continue }
            revived.insert(record.sequence)
            guard let chain = record.chainID else { continue }
            let after = try stepsAfter(record.stepIndex, in: chain)
            for dependent in members where neverBegan(dependent) && !revived.contains(dependent.sequence) {
                guard after?.contains(dependent.stepIndex) ?? (dependent.stepIndex > record.stepIndex) else { continue }
                if try begin(dependent, .blockedAgain, now: now) { revived.insert(dependent.sequence) }
            }
        }
        return revived.isEmpty ? .nothingFailed : .revived(items: revived.count)
    }

    private func neverBegan(_ record: WorkRecord) -> Bool {
        record.status.state.isFinished && record.status.state != .succeeded && record.startedAt == nil
    }

    /// Whether nothing that this one waits for is unfinished or failed: it can begin itself.
    private func isRoot(_ record: WorkRecord, of members: [WorkRecord]) -> Bool {
        guard record.status.state.isFinished, record.status.state != .succeeded else { return false }
        return members.allSatisfy { $0.stepIndex >= record.stepIndex || $0.status.state == .succeeded }
    }

    private func begin(_ record: WorkRecord, _ change: WorkChange, now: WallTime) throws -> Bool {
        guard case .goesOn = try apply(change, to: record, generation: nil, Details(due: now), owner: nil, now: now)
        else { return false }
        if let path = record.trigger?.watchedPath {
            try connection.run(
                "UPDATE work SET watched = ?, file_stamp = ? WHERE seq = ?", .text(path),
                .text(FileStamp.stored(path: path)), .int(record.sequence))
            summary.watchedPathsChanged = true
        }
        return true
    }
}
