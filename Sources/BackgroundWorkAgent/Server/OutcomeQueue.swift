/// The outcomes that no client has acknowledged, and the connection to which each is leased.
final class OutcomeQueue {
    private var outcomes: [Int64: RecordedOutcome] = [:]
    /// Not leased to anyone, oldest first.
    private var undelivered: [Int64] = []
    private var leases: [Int64: ObjectIdentifier] = [:]

    var isEmpty: Bool { outcomes.isEmpty }

    func add(_ outcome: RecordedOutcome) {
        outcomes[outcome.task] = outcome
        undelivered.append(outcome.task)
    }

    func remove(task: Int64) {
        guard outcomes.removeValue(forKey: task) != nil else { return }
        if leases.removeValue(forKey: task) == nil { undelivered.removeAll { $0 == task } }
    }

    /// Leases undelivered outcomes to their receivers.
    func deliver(to receivers: [ClientConnection]) {
        guard !undelivered.isEmpty, !receivers.isEmpty else { return }
        let stores = Set(receivers.compactMap(\.store))
        undelivered = undelivered.filter { task in
            guard let outcome = outcomes[task] else { return false }
            // An outcome of a store without a connected host is still delivered: a recreated store has another name,
            // and its transfers belong to the same scheduler.
            let claimed = stores.contains(outcome.store)
            let receiver = receivers.first {
                (!claimed || $0.store == outcome.store)
                    && $0.backlog < ClientConnection.comfortableOutput
            }
            guard let receiver else { return true }
            leases[task] = ObjectIdentifier(receiver)
            receiver.send(outcomeJSON: outcome.json)
            return false
        }
    }

    /// Outcomes leased to a lost connection are delivered again.
    func release(_ connection: ClientConnection) {
        let lost = leases.filter { $0.value == ObjectIdentifier(connection) }.keys
        for task in lost { leases[task] = nil }
        undelivered = (undelivered + lost).sorted()
    }
}
