#if os(Linux)
import BackgroundWorkTransfers

/// Outcomes that nobody has acknowledged, each leased to at most one connection.
final class OutcomeDesk {
    private var outcomes: [Int64: TransferOutcome] = [:]
    private var leases: [Int64: ObjectIdentifier] = [:]
    private let clients: ClientList

    init(clients: ClientList, outcomes: [TransferOutcome]) {
        self.clients = clients
        for outcome in outcomes { self.outcomes[outcome.taskIdentifier] = outcome }
    }

    /// Whether something waits for a host.
    var hasUndelivered: Bool { outcomes.keys.contains { leases[$0] == nil } }

    func add(_ outcome: TransferOutcome) {
        outcomes[outcome.taskIdentifier] = outcome
        deliver(preferring: outcome.reference.store)
    }

    func forget(task: Int64) {
        outcomes[task] = nil
        leases[task] = nil
    }

    /// Takes back what was leased to a connection that is gone.
    func release(_ client: ClientConnection) {
        let identifier = ObjectIdentifier(client)
        leases = leases.filter { $0.value != identifier }
    }

    /// Hands each outcome that nobody has to a receiver of its work store; one of a store that is gone to any receiver,
    /// so that somebody hears of it.
    func deliver(preferring store: String) {
        let receivers = clients.all.filter(\.receivesOutcomes)
        guard let anyone = receivers.first(where: { $0.store == store }) ?? receivers.first else { return }
        for (task, outcome) in outcomes.sorted(by: { $0.key < $1.key }) where leases[task] == nil {
            let receiver = receivers.first { $0.store == outcome.reference.store } ?? anyone
            leases[task] = ObjectIdentifier(receiver)
            clients.send(.outcome(outcome), to: receiver)
        }
    }
}
#endif
