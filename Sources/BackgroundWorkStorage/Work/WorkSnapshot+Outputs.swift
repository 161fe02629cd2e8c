import BackgroundWorkModel

extension WorkSnapshot {
    /// The outputs of the steps that a step of a member's chain waits for, in their order. None outside of a chain.
    package func outputs(beforeStep step: Int, inChainOf record: WorkRecord) throws -> [StepOutputs] {
        guard let chain = record.chainSequence else { return [] }
        return try tables.chains.predecessors(of: step, in: chain).map { try outputs(ofStep: $0, in: chain, record) }
    }

    /// The outputs of one step; `nil` unless it has to be complete before the member's step begins.
    package func outputs(ofStep step: Int, before record: WorkRecord) throws -> StepOutputs? {
        guard let chain = record.chainSequence, step >= 0, step < record.stepIndex,
            try tables.chains.stepsAfter(step, in: chain)?.contains(record.stepIndex) ?? true
        else { return nil }
        return try outputs(ofStep: step, in: chain, record)
    }

    private func outputs(ofStep step: Int, in chain: Int64, _ record: WorkRecord) throws -> StepOutputs {
        var found = StepOutputs(chainID: record.chainID ?? "", step: step, outputs: [])
        // A member whose event was pruned before its chain has ended has its outcome in `carried`.
        try connection.rows(
            """
            SELECT CASE WHEN coalesce(e.outcome, a.outcome) = ?3 THEN coalesce(e.output, a.output) END FROM members m \
            LEFT JOIN events e ON e.seq = (SELECT max(n.seq) FROM events n WHERE n.work = m.seq) \
            LEFT JOIN carried a ON a.seq = m.seq \
            WHERE m.chain = ?1 AND m.step = ?2 ORDER BY m.position
            """,
            .int(chain), .int(step), .int(WorkState.succeeded.rawValue)
        ) { found.outputs.append($0.optionalText(0)) }
        return found
    }
}
