/// What travels from client to agent.
package struct ClientFrame: Sendable, Hashable, Codable {
    /// Chosen by the client; the answer bears it.
    package var id: Int64
    package var request: AgentRequest

    package init(id: Int64, request: AgentRequest) {
        self.id = id
        self.request = request
    }
}
