import BackgroundWorkModel

extension DownloadConfiguration: WorkerInput {
    /// The configuration as JSON: the input of `BackgroundDownloadWorker`. What has its default is left out.
    ///
    /// Dates and durations are whole milliseconds. A retry policy's `jitter` that is not finite is null, which the
    /// worker refuses.
    public var inputJSON: String {
        var json = JSONWriter(capacity: 256)
        json.open()
        json.member("url", url)
        json.member("savePath", savePath)
        if let sessionIdentifier { json.member("sessionIdentifier", sessionIdentifier) }
        if let checksum {
            json.member("expectedChecksum", checksum.hex)
            json.member("checksumAlgorithm", checksum.algorithm.rawValue)
        }
        if onDuplicate != .overwrite { json.member("onDuplicate", onDuplicate.rawValue) }
        if let maxBytes { json.member("maxBytes", maxBytes) }
        if !isResumable { json.member("resumable", false) }
        if !mirrors.isEmpty {
            json.begin("mirrors")
            json.strings(mirrors)
        }
        switch connections {
        case .standard: break
        case .fixed(let count): json.member("numChunks", count)
        case .adaptive(let count): json.member("maxConnections", count)
        }
        options.writeMembers(to: &json)
        json.close()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
