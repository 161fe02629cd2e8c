import BackgroundWorkModel

extension TransferProgress: FastJSONCodable {
    package init(json: JSONObject) throws {
        self.init(
            workID: try json.string("workID"), sessionIdentifier: try json.string("sessionIdentifier"),
            taskIdentifier: try json.integer("taskIdentifier"), group: try json.optionalString("group"),
            isUpload: try json.flag("isUpload"), phase: try json.value("phase"), bytes: try json.integer("bytes"),
            totalBytes: try json.optionalInteger("totalBytes"),
            bytesPerSecond: try json.optionalInteger("bytesPerSecond"))
    }

    package func write(to json: inout JSONWriter) throws {
        json.open()
        json.member("workID", workID)
        json.member("sessionIdentifier", sessionIdentifier)
        json.member("taskIdentifier", taskIdentifier)
        if let group { json.member("group", group) }
        json.member("isUpload", isUpload)
        try json.member("phase", phase)
        json.member("bytes", bytes)
        if let totalBytes { json.member("totalBytes", totalBytes) }
        if let bytesPerSecond { json.member("bytesPerSecond", bytesPerSecond) }
        json.close()
    }
}

extension TransferPhase: FastJSONCodable {
    package init(json: JSONObject) throws {
        let (name, values) = try json.onlyCase()
        switch name {
        case "waiting":
            guard let reason = Reason(rawValue: try values.string("_0")) else { throw JSONMismatch() }
            self = .waiting(reason)
        case "running": self = .running
        case "paused": self = .paused
        case "finishing": self = .finishing
        case "succeeded": self = .succeeded
        case "failed": self = .failed(message: try values.string("message"))
        default: throw JSONMismatch()
        }
    }

    package func write(to json: inout JSONWriter) throws {
        json.open()
        json.begin(name)
        json.open()
        if case .waiting(let reason) = self { json.member("_0", reason.rawValue) }
        if case .failed(let message) = self { json.member("message", message) }
        json.close()
        json.close()
    }

    private var name: StaticString {
        switch self {
        case .waiting: "waiting"
        case .running: "running"
        case .paused: "paused"
        case .finishing: "finishing"
        case .succeeded: "succeeded"
        case .failed: "failed"
        }
    }
}
