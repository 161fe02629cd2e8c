import BackgroundWorkModel

extension TransferOutcome: FastJSONCodable {
    package init(json: JSONObject) throws {
        self.init(
            reference: try json.value("reference"), sessionIdentifier: try json.string("sessionIdentifier"),
            taskIdentifier: try json.integer("taskIdentifier"), savePath: try json.string("savePath"),
            workerName: try json.string("workerName"), result: try json.value("result"),
            details: try json.optionalObject("details").map(TransferDetails.init))
    }

    package func write(to json: inout JSONWriter) throws {
        json.open()
        try json.member("reference", reference)
        json.member("sessionIdentifier", sessionIdentifier)
        json.member("taskIdentifier", taskIdentifier)
        json.member("savePath", savePath)
        json.member("workerName", workerName)
        try json.member("result", result)
        if let details { try json.member("details", details) }
        json.close()
    }
}

extension TransferOutcome.Result: FastJSONCodable {
    package init(json: JSONObject) throws {
        let (name, values) = try json.onlyCase()
        switch name {
        case "delivered":
            self = .delivered(
                stagingPath: try values.string("stagingPath"), bytes: try values.integer("bytes"),
                statusCode: try values.integer("statusCode"), finalURL: try values.string("finalURL"))
        case "uploaded":
            self = .uploaded(
                bytes: try values.integer("bytes"), statusCode: try values.integer("statusCode"),
                finalURL: try values.string("finalURL"))
        case "failed": self = .failed(try JSONCoding.decoded(from: try values.raw("_0")))
        default: throw JSONMismatch()
        }
    }

    package func write(to json: inout JSONWriter) throws {
        json.open()
        switch self {
        case .delivered(let stagingPath, let bytes, let statusCode, let finalURL):
            json.begin("delivered")
            json.open()
            json.member("stagingPath", stagingPath)
            json.member("bytes", bytes)
            json.member("statusCode", statusCode)
            json.member("finalURL", finalURL)
        case .uploaded(let bytes, let statusCode, let finalURL):
            json.begin("uploaded")
            json.open()
            json.member("bytes", bytes)
            json.member("statusCode", statusCode)
            json.member("finalURL", finalURL)
        case .failed(let failure):
            json.begin("failed")
            json.open()
            try json.member("_0", encoding: failure)
        }
        json.close()
        json.close()
    }
}
