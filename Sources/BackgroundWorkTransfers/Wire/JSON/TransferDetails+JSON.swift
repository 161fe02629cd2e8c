import BackgroundWorkModel

extension TransferDetails: FastJSONCodable {
    package init(json: JSONObject) throws {
        guard let onDuplicate = DuplicatePolicy(rawValue: try json.string("onDuplicate")) else { throw JSONMismatch() }
        self.init()
        durationMs = try json.integer("durationMs")
        requests = try json.integer("attempts")
        headers = try json.object("headers").strings()
        responseBody = try json.optionalString("responseBody")
        suggestedName = try json.optionalString("suggestedName")
        self.onDuplicate = onDuplicate
        mountPoint = try json.optionalString("mountPoint")
    }

    package func write(to json: inout JSONWriter) {
        json.open()
        json.member("durationMs", durationMs)
        json.member("attempts", requests)
        json.begin("headers")
        json.strings(headers)
        if let responseBody { json.member("responseBody", responseBody) }
        if let suggestedName { json.member("suggestedName", suggestedName) }
        json.member("onDuplicate", onDuplicate.rawValue)
        if let mountPoint { json.member("mountPoint", mountPoint) }
        json.close()
    }
}
