import BackgroundWorkModel

extension DownloadOutput: FastJSONCodable {
    package init(json: JSONObject) throws {
        self.init(savePath: try json.string("savePath"), bytes: try json.integer("bytes"))
        statusCode = try json.optionalInteger("statusCode")
        url = try json.optionalString("url")
        headers = try json.optionalObject("headers")?.strings()
        durationMs = try json.optionalInteger("durationMs")
        // An earlier version's name; as the decoder does, only if there is none of today's.
        requests = try json.optionalInteger("requests") ?? json.optionalInteger("attempts")
        skipped = try json.optionalFlag("skipped")
    }

    /// Writes its members in the order of their names.
    package func write(to json: inout JSONWriter) {
        json.open()
        json.member("bytes", bytes)
        if let durationMs { json.member("durationMs", durationMs) }
        if let headers {
            json.begin("headers")
            json.strings(headers, sorted: true)
        }
        if let requests { json.member("requests", requests) }
        json.member("savePath", savePath)
        if let skipped { json.member("skipped", skipped) }
        if let statusCode { json.member("statusCode", statusCode) }
        if let url { json.member("url", url) }
        json.close()
    }
}
