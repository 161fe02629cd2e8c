import BackgroundWorkModel

extension DownloadOutput: HandCodable {
    package init(json: JSONObject) throws {
        self.init(savePath: try json.string("savePath"), bytes: try json.integer("bytes"))
        statusCode = try json.optionalInteger("statusCode")
        url = try json.optionalString("url")
        headers = try json.optionalObject("headers")?.strings()
        durationMs = try json.optionalInteger("durationMs")
        attempts = try json.optionalInteger("attempts")
        skipped = try json.optionalFlag("skipped")
    }

    /// Writes its members in the order of their names.
    package func write(to json: inout JSONWriter) {
        json.open()
        if let attempts { json.member("attempts", attempts) }
        json.member("bytes", bytes)
        if let durationMs { json.member("durationMs", durationMs) }
        if let headers {
            json.begin("headers")
            json.strings(headers, sorted: true)
        }
        json.member("savePath", savePath)
        if let skipped { json.member("skipped", skipped) }
        if let statusCode { json.member("statusCode", statusCode) }
        if let url { json.member("url", url) }
        json.close()
    }
}
