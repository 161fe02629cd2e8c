/// What a client asks of the agent. The first request on a connection is `hello`.
package enum AgentRequest: Sendable, Hashable, Codable {
    /// Opens the conversation. `minimumTaskIdentifier`: identifiers given out from now on are above it, so that they
    /// never meet those that the state file still holds.
    case hello(protocolVersion: Int, store: String, minimumTaskIdentifier: Int64)
    /// Records a transfer, not started, durably. The same reference gets the same reservation.
    ///
    /// Indirect, so that a request is small wherever it is copied.
    indirect case reserve(specification: TransferSpecification)
    /// Starts a reserved transfer. Durable when answered. On one that is active or finished: nothing more happens.
    case resume(reference: TransferReference)
    /// Forgets a transfer in whatever state, and deletes its staging file. Unknown ones are fine.
    case cancel(reference: TransferReference)
    /// The outcome was taken in; the agent forgets the transfer and deletes what is left of its staging file.
    case acknowledge(reference: TransferReference)
    /// What the agent knows, of this connection's store and of others, by rising task identifier: those above `after`,
    /// as many as fit into one answer.
    case list(after: Int64)
    /// Holds a transfer where it is, or lets it go on. Durable when answered.
    case setPaused(reference: TransferReference, isPaused: Bool)
    /// Durable when answered.
    case setLimits(limits: TransferLimits)
    /// From here on the progress of all transfers is told to this connection: first of all that are there.
    case followProgress
    /// From here on outcomes are delivered to this connection, each leased to it until acknowledged or disconnected.
    /// Those that wait already are sent before the answer.
    case receiveOutcomes
    /// How to start the host when there is something to deliver or to do and nobody is connected; `nil` takes it back.
    case setLaunchCommand(command: LaunchCommand?)
    /// When the host is to be launched although nothing has ended: takes the place of what this connection's store asked
    /// for before. Durable when answered.
    case setWakes(wakes: WakeList)
}
