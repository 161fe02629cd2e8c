import BackgroundWorkModel

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
        case "reserve": self = .reserve(specification: try values.value("specification"))
        case "resume": self = .resume(reference: try values.value("reference"))
        case "cancel": self = .cancel(reference: try values.value("reference"))
        case "acknowledge": self = .acknowledge(reference: try values.value("reference"))
        case "setPaused":
            self = .setPaused(reference: try values.value("reference"), isPaused: try values.flag("isPaused"))
        default: throw JSONMismatch()
        }
    }

    package func write(to json: inout JSONWriter) throws {
        switch self {
        case .reserve(let specification): try write("reserve", "specification", specification, to: &json)
        case .resume(let reference): try write("resume", "reference", reference, to: &json)
        case .cancel(let reference): try write("cancel", "reference", reference, to: &json)
        case .acknowledge(let reference): try write("acknowledge", "reference", reference, to: &json)
        case .setPaused(let reference, let isPaused):
            json.open()
            json.begin("setPaused")
            json.open()
            try json.member("reference", reference)
            json.member("isPaused", isPaused)
            json.close()
            json.close()
        case .hello, .list, .setLimits, .followProgress, .receiveOutcomes, .setLaunchCommand, .setWakes:
            try json.encoded(self)
        }
    }

    private func write(
        _ name: StaticString, _ field: StaticString, _ value: some FastJSONCodable, to json: inout JSONWriter
    ) throws {
        json.open()
        json.begin(name)
        json.open()
        try json.member(field, value)
        json.close()
        json.close()
    }
}
