import BackgroundWorkModel
import BackgroundWorkTransfers

extension HttpDownloadWorker {
    /// A file to be downloaded by the scheduler's own process.
    public struct Input: Sendable, Hashable, WorkerInput {
        /// What to fetch: http or https. JSON: `url`.
        public var url: String
        /// Where to save the file, an absolute path that is not a folder's. JSON: `savePath`.
        public var savePath: String
        /// Whether what has arrived is kept for the next attempt. JSON: `resumable`.
        public var isResumable = true
        /// A longer file is rejected. JSON: `maxBytes`.
        public var maxBytes: Int64?
        /// The expected checksum of the whole file. A file with another one is deleted, and the download fails. JSON:
        /// `expectedChecksum`, `checksumAlgorithm` (`SHA256` if left out).
        public var checksum: FileChecksum?
        /// What happens when a file exists at `savePath`. JSON: `onDuplicate`.
        public var onDuplicate = DuplicatePolicy.overwrite
        /// The permissions of the saved file; `nil`: those that any new file of the process has, 0666 without its umask. JSON:
        /// `fileMode`, octal digits such as `"0640"`.
        public var fileMode: FileMode?
        /// What it has in common with the other workers that send HTTP requests; a request may take five minutes unless they
        /// say otherwise.
        public var options = HTTPWorkerOptions()

        /// Creates a download with the defaults.
        public init(url: String, savePath: String) {
            self.url = url
            self.savePath = savePath
        }
    }
}

extension HttpDownloadWorker.Input {
    private enum CodingKeys: String, CodingKey {
        case url, savePath, resumable, maxBytes, onDuplicate, fileMode
    }

    /// Absent and null fields take their defaults; unknown ones are ignored.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        url = try container.decode(String.self, forKey: .url)
        savePath = try container.decode(String.self, forKey: .savePath)
        isResumable = try container.decodeIfPresent(Bool.self, forKey: .resumable) ?? true
        maxBytes = try container.decodeIfPresent(Int64.self, forKey: .maxBytes)
        checksum = try ChecksumFields(from: decoder).checksum
        onDuplicate = try container.decodeIfPresent(DuplicatePolicy.self, forKey: .onDuplicate) ?? .overwrite
        fileMode = try container.decodeIfPresent(FileMode.self, forKey: .fileMode)
        options = try HTTPWorkerOptions(from: decoder)
    }

    /// Writes what differs from the defaults.
    public func encode(to encoder: any Encoder) throws {
        try options.encode(to: encoder)
        try ChecksumFields(checksum).encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(url, forKey: .url)
        try container.encode(savePath, forKey: .savePath)
        if !isResumable { try container.encode(false, forKey: .resumable) }
        try container.encodeIfPresent(maxBytes, forKey: .maxBytes)
        if onDuplicate != .overwrite { try container.encode(onDuplicate, forKey: .onDuplicate) }
        try container.encodeIfPresent(fileMode, forKey: .fileMode)
    }

    /// The download as JSON text: the worker's input.
    public var inputJSON: String { JSONCoding.certainText(of: self) }
}

extension HttpDownloadWorker.Input: CustomReflectable {
    /// Without secrets: its URL without user, password, query and fragment.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "url": ShownURL.text(url), "savePath": savePath, "isResumable": isResumable,
                "maxBytes": maxBytes as Any, "checksum": checksum as Any, "onDuplicate": onDuplicate,
                "fileMode": fileMode as Any, "options": options,
            ], displayStyle: .struct)
    }
}
