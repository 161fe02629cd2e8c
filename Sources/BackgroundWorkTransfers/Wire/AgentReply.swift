/// The agent's answer to one request.
package enum AgentReply: Sendable, Hashable, Codable {
    /// `epoch` names the journal: it changes when the journal was lost and begun anew.
    case hello(protocolVersion: Int, epoch: String, processIdentifier: Int32)
    case reserved(taskIdentifier: Int64)
    case done
    /// `next` is where the following page begins; `nil` on the last one.
    case transfers(list: [TransferSnapshot], next: Int64?)
    case failed(AgentFailure)
}
