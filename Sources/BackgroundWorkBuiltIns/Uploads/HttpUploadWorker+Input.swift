import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkTransfers

extension HttpUploadWorker {
    /// A file to be sent, and where to.
    public struct Input: Sendable, Hashable, WorkerInput {
        /// http or https. JSON: `url`.
        public var url: String
        /// A regular file, absolute. JSON: `filePath`.
        public var filePath: String
        /// The name of the file's part. JSON: `fileFieldName`, left out it is `file`.
        public var fileFieldName: String
        /// The file's name for the server; `nil` for the last component of its path. JSON: `fileName`.
        public var fileName: String?
        /// Of the file; `nil` for `application/octet-stream`. JSON: `mimeType`.
        public var mimeType: String?
        /// Texts that are sent before the file, by the names of their parts. JSON: `fields`.
        public var fields: [String: String]
        /// What the workers that send requests have in common.
        public var options = HTTPWorkerOptions()

        /// Creates an upload. It is checked when it is enqueued.
        public init(
            url: String, filePath: String, fileFieldName: String = "file", fileName: String? = nil,
            mimeType: String? = nil, fields: [String: String] = [:]
        ) {
            self.url = url
            self.filePath = filePath
            self.fileFieldName = fileFieldName
            self.fileName = fileName
            self.mimeType = mimeType
            self.fields = fields
        }
    }
}

extension HttpUploadWorker.Input {
    private enum CodingKeys: String, CodingKey { case url, filePath, fileFieldName, fileName, mimeType, fields }

    /// Absent and null fields take their defaults; unknown ones are ignored.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            url: try container.decode(String.self, forKey: .url),
            filePath: try container.decode(String.self, forKey: .filePath),
            fileFieldName: try container.decodeIfPresent(String.self, forKey: .fileFieldName) ?? "file",
            fileName: try container.decodeIfPresent(String.self, forKey: .fileName),
            mimeType: try container.decodeIfPresent(String.self, forKey: .mimeType),
            fields: try container.texts(forKey: .fields) ?? [:])
        options = try HTTPWorkerOptions(from: decoder)
    }

    /// Writes what differs from the defaults.
    public func encode(to encoder: any Encoder) throws {
        try options.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(url, forKey: .url)
        try container.encode(filePath, forKey: .filePath)
        if fileFieldName != "file" { try container.encode(fileFieldName, forKey: .fileFieldName) }
        try container.encodeIfPresent(fileName, forKey: .fileName)
        try container.encodeIfPresent(mimeType, forKey: .mimeType)
        if !fields.isEmpty { try container.encode(fields, forKey: .fields) }
    }

    /// The upload as JSON text: the worker's input.
    public var inputJSON: String { JSONCoding.certainText(of: self) }
}

extension HttpUploadWorker.Input: CustomReflectable {
    /// Without secrets: its URL without user, password, query and fragment.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "url": ShownURL.text(url), "filePath": filePath, "fileFieldName": fileFieldName,
                "fileName": fileName as Any, "mimeType": mimeType as Any, "fields": fields.shownFormFields,
                "options": options,
            ], displayStyle: .struct)
    }
}
