import BackgroundWorkModel

extension DownloadConfiguration: HandDecodable {
    /// Reads what most inputs are: where from, where to, and little else.
    package init(json: JSONObject) throws {
        guard json.hasOnly("url", "savePath", "sessionIdentifier", "maxBytes", "resumable") else {
            throw JSONMismatch()
        }
        self.init(url: try json.string("url"), savePath: try json.string("savePath"))
        sessionIdentifier = try json.optionalString("sessionIdentifier")
        maxBytes = try json.optionalInteger("maxBytes")
        isResumable = try json.optionalFlag("resumable") ?? true
    }
}
