import BackgroundWorkModel

extension WorkTransaction {
    /// The existing work with an id.
    enum Existing {
        case none
        case single(WorkRecord)
        /// A member of a chain, with all of that chain.
        case member(of: String, [WorkRecord])
        case chain([WorkRecord])
    }

    func existing(_ id: String) throws -> Existing {
        guard let holder = try nameHolder(id) else { return .none }
        if holder.isChain { return .chain(try records(chain: holder.sequence)) }
        if let chain = holder.memberOf {
            let members = try records(chain: chain)
            return .member(of: members.first?.chainID ?? "", members)
        }
        return try record(sequence: holder.sequence).map(Existing.single) ?? .none
    }

    /// The unfinished chain that may give this id to a member, now or when appended work starts.
    func unfinishedChain(reserving id: String) throws -> String? {
        try ChainSteps.chain(ofMember: id).flatMap { try unfinishedChain($0) }
    }

    func unfinishedChain(_ chain: String) throws -> String? {
        guard let holder = try nameHolder(chain), holder.isChain,
            try isUnfinished(chain: holder.sequence)
        else { return nil }
        return chain
    }

    /// Finished work of others that has a member's id. Throws `EnqueueError.idTaken` if it is not finished.
    func conflictingWork(of chain: ChainSteps, id: String) throws -> [WorkRecord] {
        var past: [WorkRecord] = []
        let own = try nameHolder(id)?.sequence
        var seen: Set<Int64> = []
        for member in chain.members(chainID: id) {
            guard let holder = try nameHolder(member.id), own == nil || holder.memberOf != own,
                seen.insert(holder.memberOf ?? holder.sequence).inserted
            else { continue }
            let found: [WorkRecord]
            switch try existing(member.id) {
            case .none: continue
            case .single(let record): found = [record]
            case .member(_, let members), .chain(let members): found = members
            }
            guard found.allSatisfy(\.status.state.isFinished) else {
                throw EnqueueError.idTaken(
                    id: member.id, by: "other work, so the chain \"\(id)\" cannot name its member")
            }
            past += found
        }
        return past
    }
}
