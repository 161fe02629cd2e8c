import BackgroundWorkModel

/// A frame from client to agent.
package struct ClientFrame: Sendable, Hashable, Codable {
    /// Chosen by the client; the answer contains it.
    package var id: Int64
    package var request: AgentRequest

    package init(id: Int64, request: AgentRequest) {
        self.id = id
        self.request = request
    }
}

/// A client's request to the agent. The first request on a connection is `hello`.
package enum AgentRequest: Sendable, Hashable, Codable {
    /// Opens the conversation. `minimumTaskIdentifier`: identifiers given out from now on are above it, so that they
    /// never meet those that the state file still holds.
    case hello(protocolVersion: Int, store: String, minimumTaskIdentifier: Int64)
    /// Records a transfer, not started, durably. The same reference gets the same reservation.
    ///
    /// Indirect, so that a request is small wherever it is copied.
    indirect case reserve(specification: SpecificationDocument)
    /// Starts a reserved transfer. Durable when answered. On one that is active or finished: nothing more happens.
    case resume(reference: TransferReference)
    /// Deletes transfers in any state, and their staging files, before another one takes a slot of theirs. Does nothing
    /// for unknown ones.
    case cancel(references: [TransferReference])
    /// The outcome was processed; the agent deletes the transfer and its staging file if it still exists.
    case acknowledge(reference: TransferReference)
    /// What the agent knows, of this connection's store and of others, by rising task identifier: those above `after`,
    /// as many as fit into one answer.
    case list(after: Int64)
    /// Pauses or resumes a transfer. Durable when answered.
    case setPaused(reference: TransferReference, isPaused: Bool)
    /// Durable when answered.
    case setLimits(limits: TransferLimits)
    /// From now on the progress of all transfers is reported to this connection, starting with all existing ones.
    case followProgress
    /// From here on outcomes are delivered to this connection, each leased to it until acknowledged or disconnected.
    /// Those that wait already are sent before the answer.
    case receiveOutcomes
    /// How to start the host when there is something to deliver or to do and no host is connected; `nil` removes the
    /// command.
    case setLaunchCommand(command: LaunchCommand?)
    /// When the host is to be launched although nothing has ended: takes the place of what this connection's store asked
    /// for before. Durable when answered.
    case setWakes(wakes: WakeList)
}

extension ClientFrame: FastJSONCodable {
    package init(json: JSONObject) throws { self.init(id: try json.integer("id"), request: try json.value("request")) }

    package func write(to json: inout JSONWriter) throws {
        json.open()
        json.member("id", id)
        try json.member("request", request)
        json.close()
    }
}

extension AgentRequest: FastJSONCodable {
    /// Reads what comes with each transfer; the decoder reads the others.
    package init(json: JSONObject) throws {
        let (name, values) = try json.onlyCase()
        switch name {
        case "reserve": self = .reserve(specification: try SpecificationDocument("specification", of: values))
        case "resume": self = .resume(reference: try values.value("reference"))
        case "acknowledge": self = .acknowledge(reference: try values.value("reference"))
        default: throw JSONMismatch()
        }
    }

    package func write(to json: inout JSONWriter) throws {
        switch self {
        case .reserve(let specification): try write("reserve", "specification", specification, to: &json)
        case .resume(let reference): try write("resume", "reference", reference, to: &json)
        case .acknowledge(let reference): try write("acknowledge", "reference", reference, to: &json)
        case .hello, .cancel, .list, .setPaused, .setLimits, .followProgress, .receiveOutcomes, .setLaunchCommand,
            .setWakes:
            try json.encoded(self)
        }
    }

    private func write(
        _ name: StaticString, _ field: StaticString, _ value: some FastJSONEncodable, to json: inout JSONWriter
    ) throws {
        json.open()
        json.begin(name)
        json.open()
        try json.member(field, value)
        json.close()
        json.close()
    }
}
