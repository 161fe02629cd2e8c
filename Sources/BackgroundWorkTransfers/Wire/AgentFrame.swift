import BackgroundWorkModel

/// A frame from agent to client.
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

/// The agent's answer to one request.
package enum AgentReply: Sendable, Hashable, Codable {
    /// `epoch` names the journal: it changes when the journal was lost and recreated.
    case hello(protocolVersion: Int, epoch: String, processIdentifier: Int32)
    case reserved(taskIdentifier: Int64)
    case done
    /// `next` is where the following page begins; `nil` on the last one.
    case transfers(list: [TransferSnapshot], next: Int64?)
    case failed(AgentFailure)
}

/// Why the agent did not carry out a request.
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

extension AgentFrame: FastJSONCodable {
    package init(json: JSONObject) throws {
        let (name, values) = try json.onlyCase()
        switch name {
        case "reply": self = .reply(id: try values.integer("id"), reply: try values.value("reply"))
        case "outcome": self = .outcome(try values.value("_0"))
        case "progress": self = .progress(list: try values.values("list"))
        default: throw JSONMismatch()
        }
    }

    package func write(to json: inout JSONWriter) throws {
        switch self {
        case .reply(let id, let reply):
            json.open()
            json.begin("reply")
            json.open()
            json.member("id", id)
            try json.member("reply", reply)
            json.close()
            json.close()
        case .outcome(let outcome): Self.write(outcomeJSON: try FastJSON.text(of: outcome), to: &json)
        case .progress(let list):
            json.open()
            json.begin("progress")
            json.open()
            json.begin("list")
            try json.array(list) { try $1.write(to: &$0) }
            json.close()
            json.close()
        }
    }

    /// What `outcome` is written as, when that outcome's JSON is there already.
    static func write(outcomeJSON: String, to json: inout JSONWriter) {
        json.open()
        json.begin("outcome")
        json.open()
        json.begin("_0")
        json.raw(outcomeJSON)
        json.close()
        json.close()
    }
}

extension AgentReply: FastJSONCodable {
    /// Reads what comes with each transfer; the decoder reads the others.
    package init(json: JSONObject) throws {
        let (name, values) = try json.onlyCase()
        switch name {
        case "reserved": self = .reserved(taskIdentifier: try values.integer("taskIdentifier"))
        case "done": self = .done
        default: throw JSONMismatch()
        }
    }

    package func write(to json: inout JSONWriter) throws {
        switch self {
        case .reserved(let task):
            json.open()
            json.begin("reserved")
            json.open()
            json.member("taskIdentifier", task)
            json.close()
            json.close()
        case .done:
            json.open()
            json.begin("done")
            json.open()
            json.close()
            json.close()
        case .hello, .transfers, .failed: try json.encoded(self)
        }
    }
}
