import BackgroundWorkFoundation

/// A task of the simulated daemon that has not completed.
struct DaemonTask {
    var record: TaskRecord
    var request: RequestRecord
    /// What an upload sends.
    var source: String?
    /// Where a download's bytes are.
    var file: String?
    /// A task is created suspended. Calls of `suspend` and `resume` count, as Foundation says that they are nestable.
    var suspensions = 1
    /// The number of the request that is in progress.
    var load: Int?
    /// How many bytes are in the file.
    var received: Int64 = 0
    /// Of the whole file; -1 while it is unknown.
    var total: Int64 = -1
    var sent: Int64 = 0
    /// The server's name for this version of the file, by which a download can be continued.
    var validator: String?
    /// Whether the app has a report of its progress that it has not handled.
    var isReported = false
    var hasUnreported = false

    var isDownload: Bool { source == nil }
    var isSuspended: Bool { suspensions > 0 }

    /// Where the next request may begin.
    var continuation: (offset: Int64, validator: String)? {
        guard isDownload, received > 0, let validator, !request.headers.keys.contains(where: Self.isRange) else {
            return nil
        }
        return (received, validator)
    }

    private static func isRange(_ name: String) -> Bool { name.lowercased() == "range" }

    /// Takes the head of an answer. Returns whether the bytes that are there stay.
    mutating func answered(_ response: ResponseRecord) -> Bool {
        record.response = response
        guard isDownload else { return true }
        let continues =
            response.status == 206 && received > 0
            && response["Content-Range"]?.hasPrefix("bytes \(received)-") ?? false
        if !continues { received = 0 }
        total = response["Content-Length"].flatMap { Int64($0) }.map { received + $0 } ?? -1
        validator = nil
        let isEncoded = response["Content-Encoding"].map { $0.lowercased() != "identity" } ?? false
        if !isEncoded, response.status == 206 || response["Accept-Ranges"]?.lowercased() == "bytes" {
            if let tag = response["ETag"], !tag.hasPrefix("W/") {
                validator = tag
            } else {
                validator = response["Last-Modified"]
            }
        }
        return continues
    }
}

/// What resume data holds: opaque for apps.
struct ResumeRecord: Codable {
    var request: RequestRecord
    var file: String
    var validator: String
}
