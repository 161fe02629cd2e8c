import BackgroundWorkModel

extension UploadConfiguration: WorkerInput {
    /// The configuration as JSON: the input of `BackgroundUploadWorker`. Options that have their defaults are left out.
    ///
    /// Dates and durations are whole milliseconds. A retry policy's `jitter` that is not finite is null, which the
    /// worker refuses.
    public var inputJSON: String {
        var json = JSONWriter(capacity: 256)
        json.open()
        json.member("url", url)
        json.member("filePath", filePath)
        json.member("method", method)
        if let sessionIdentifier { json.member("sessionIdentifier", sessionIdentifier) }
        switch form {
        case .body(let mimeType):
            json.member("form", "body")
            if let mimeType { json.member("mimeType", mimeType) }
        case .multipart(let fieldName, let fileName, let mimeType, let fields):
            json.member("form", "multipart")
            json.member("fileFieldName", fieldName)
            if let fileName { json.member("fileName", fileName) }
            if let mimeType { json.member("mimeType", mimeType) }
            json.begin("fields")
            json.strings(fields, sorted: true)
        case .tus(let metadata):
            json.member("form", "tus")
            json.begin("metadata")
            json.strings(metadata, sorted: true)
        }
        options.writeMembers(to: &json)
        json.close()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
