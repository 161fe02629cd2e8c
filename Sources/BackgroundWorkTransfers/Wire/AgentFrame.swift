/// What travels from agent to client.
package enum AgentFrame: Sendable, Hashable, Codable {
    /// The answer to the request with this id; id 0 answers what could not be read.
    case reply(id: Int64, reply: AgentReply)
    /// A transfer has ended. Leased to this connection until `acknowledge`.
    ///
    /// Indirect, so that a frame is small wherever it is copied.
    indirect case outcome(TransferOutcome)
    /// Of those transfers that have changed since the last one.
    case progress(list: [TransferProgress])
}
