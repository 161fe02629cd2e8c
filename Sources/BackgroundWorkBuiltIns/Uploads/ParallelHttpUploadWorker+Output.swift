extension ParallelHttpUploadWorker {
    /// What was sent.
    public struct Output: Sendable, Hashable, Codable {
        /// How many files the server has accepted. JSON: `uploadedCount`.
        public var uploadedCount: Int
        /// How many it has not: 0 of work that has succeeded. JSON: `failedCount`.
        public var failedCount: Int
        /// The lengths of the accepted files together. JSON: `totalBytes`.
        public var totalBytes: Int64
        /// One for each file, in the input's order. JSON: `fileResults`.
        public var fileResults: [FileResult]

        /// Creates an output of these results.
        public init(_ results: [FileResult]) {
            fileResults = results
            uploadedCount = results.count(where: \.isSuccess)
            failedCount = results.count - uploadedCount
            totalBytes = results.reduce(0) { $0 + $1.bytesSent }
        }
    }

    /// What has become of one file.
    public struct FileResult: Sendable, Hashable, Codable {
        /// As in the input. JSON: `filePath`.
        public var filePath: String
        /// Whether the server has accepted it. JSON: `success`.
        public var isSuccess: Bool
        /// How many times it was tried, in all attempts of the work; tries that a crash has cut off are not counted. JSON:
        /// `attempts`.
        public var attempts: Int
        /// Its length if it was accepted, else 0. JSON: `bytesSent`.
        public var bytesSent: Int64
        /// The server's last status; `nil` if there was none. JSON: `statusCode`.
        public var statusCode: Int?
        /// Why it was not accepted; `nil` if it was. JSON: `error`.
        public var error: String?

        private enum CodingKeys: String, CodingKey {
            case filePath, attempts, bytesSent, statusCode, error
            case isSuccess = "success"
        }

        /// Creates the result of a file.
        public init(
            filePath: String, isSuccess: Bool, attempts: Int, bytesSent: Int64, statusCode: Int? = nil,
            error: String? = nil
        ) {
            self.filePath = filePath
            self.isSuccess = isSuccess
            self.attempts = attempts
            self.bytesSent = bytesSent
            self.statusCode = statusCode
            self.error = error
        }
    }
}
