import BackgroundWorkModel

extension AgentFrame: FastJSONCodable {
    /// Reads what comes with each transfer; the decoder reads the others.
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
        case .outcome(let outcome): Self.write(outcomeJSON: try JSONCoding.text(of: outcome), to: &json)
        case .progress(let list):
            json.open()
            json.begin("progress")
            json.open()
            try json.member("list", list)
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
