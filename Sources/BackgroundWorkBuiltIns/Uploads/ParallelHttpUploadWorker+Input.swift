import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkTransfers

extension ParallelHttpUploadWorker {
    /// Files to be sent, and where to.
    public struct Input: Sendable, Hashable, WorkerInput {
        /// http or https; each file is sent there. JSON: `url`.
        public var url: String
        /// At least one. JSON: `files`.
        public var files: [File]
        /// Texts that are sent before each file, by the names of their parts. JSON: `fields`.
        public var fields: [String: String]
        /// How many files are sent at the same time, from 1 to 16. JSON: `maxConcurrent`, left out it is 3.
        public var maximumConcurrent = 3
        /// How many more times each file is sent in one attempt of the work, from 0 to 5, after network errors and the
        /// statuses 5xx. JSON: `maxRetries`, left out it is 1.
        public var maximumRetries = 1
        /// What the workers that send requests have in common.
        public var options = HTTPWorkerOptions()

        /// Creates uploads. They are checked when they are enqueued.
        public init(url: String, files: [File], fields: [String: String] = [:]) {
            self.url = url
            self.files = files
            self.fields = fields
        }
    }

    /// One of the files.
    public struct File: Sendable, Hashable {
        /// A regular file, absolute. JSON: `filePath`.
        public var filePath: String
        /// The name of its part. JSON: `fieldName`, left out it is `file`.
        public var fieldName: String
        /// Its name for the server; `nil` for the last component of its path. JSON: `fileName`.
        public var fileName: String?
        /// `nil` for `application/octet-stream`. JSON: `mimeType`.
        public var mimeType: String?

        /// Creates a file.
        public init(filePath: String, fieldName: String = "file", fileName: String? = nil, mimeType: String? = nil) {
            self.filePath = filePath
            self.fieldName = fieldName
            self.fileName = fileName
            self.mimeType = mimeType
        }
    }
}

extension ParallelHttpUploadWorker.File: Codable {
    /// Everything but `filePath` may be left out.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            filePath: try container.decode(String.self, forKey: .filePath),
            fieldName: try container.decodeIfPresent(String.self, forKey: .fieldName) ?? "file",
            fileName: try container.decodeIfPresent(String.self, forKey: .fileName),
            mimeType: try container.decodeIfPresent(String.self, forKey: .mimeType))
    }
}

extension ParallelHttpUploadWorker.Input {
    private enum CodingKeys: String, CodingKey { case url, files, fields, maxConcurrent, maxRetries }

    /// Absent and null fields take their defaults; unknown ones are ignored.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        url = try container.decode(String.self, forKey: .url)
        files = try container.decode([ParallelHttpUploadWorker.File].self, forKey: .files)
        fields = try container.texts(forKey: .fields) ?? [:]
        maximumConcurrent = try container.decodeIfPresent(Int.self, forKey: .maxConcurrent) ?? 3
        maximumRetries = try container.decodeIfPresent(Int.self, forKey: .maxRetries) ?? 1
        options = try HTTPWorkerOptions(from: decoder)
    }

    /// Writes what differs from the defaults.
    public func encode(to encoder: any Encoder) throws {
        try options.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(url, forKey: .url)
        try container.encode(files, forKey: .files)
        if !fields.isEmpty { try container.encode(fields, forKey: .fields) }
        if maximumConcurrent != 3 { try container.encode(maximumConcurrent, forKey: .maxConcurrent) }
        if maximumRetries != 1 { try container.encode(maximumRetries, forKey: .maxRetries) }
    }

    /// The uploads as JSON text: the worker's input.
    public var inputJSON: String { JSONCoding.certainText(of: self) }
}

extension ParallelHttpUploadWorker.Input: CustomReflectable {
    /// Without secrets: its URL without user, password, query and fragment.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "url": ShownURL.text(url), "files": files, "fields": fields.shownFormFields,
                "maximumConcurrent": maximumConcurrent, "maximumRetries": maximumRetries, "options": options,
            ], displayStyle: .struct)
    }
}
