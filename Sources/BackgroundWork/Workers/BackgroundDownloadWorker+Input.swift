extension BackgroundDownloadWorker {
    /// The JSON that the worker takes, as its Kotlin ancestor does: unknown fields are ignored, absent and null ones
    /// take the default.
    struct Input: Codable, Sendable, Hashable {
        var url: String
        var savePath: String
        var sessionIdentifier: String?
        var headers: [String: String]?
        /// Accepted for compatibility; on Linux the agent does not wait for power or an unmetered network yet.
        var isDiscretionary: Bool?
        /// Accepted for compatibility; on Linux the agent does not tell networks apart yet.
        var allowsCellularAccess: Bool?
        var timeoutMs: Int64?
    }
}
