/// Why the agent did not do what it was asked.
package struct AgentFailure: Sendable, Hashable, Codable, Error, CustomStringConvertible {
    package enum Code: String, Sendable, Hashable, Codable {
        /// Garbled, oversized, out of order, or of another protocol version.
        case badRequest
        /// `resume` of a transfer that was never reserved.
        case unknownTransfer
        /// The reference is taken by a transfer with another specification.
        case conflict
        /// The journal could not be written.
        case storage
        /// The agent is about to leave; connect again.
        case leaving
    }

    package var code: Code
    package var message: String

    package init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}
