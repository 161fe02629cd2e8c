/// The agent's answer to one request.
package enum AgentReply: Sendable, Hashable, Codable {
    /// `epoch` names the journal: it changes when the journal was lost and begun anew.
    case hello(protocolVersion: Int, epoch: String, processIdentifier: Int32)
    case reserved(taskIdentifier: Int64)
    case done
    case transfers(list: [TransferSnapshot])
    case failed(AgentFailure)
}
