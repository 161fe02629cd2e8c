import BackgroundWorkModel
import BackgroundWorkTransfers

extension ParallelHttpDownloadWorker {
    /// A file to be downloaded over several connections.
    public struct Input: Sendable, Hashable, WorkerInput {
        /// What to fetch: http or https. JSON: `url`.
        public var url: String
        /// Where to save the file, an absolute path that is not a folder's. JSON: `savePath`.
        public var savePath: String
        /// Over how many connections, from 1 to 16. Fewer are used for a file of less than 256 KiB for each. JSON:
        /// `numChunks`.
        public var numChunks = 4
        /// The expected checksum of the whole file. A file with another one is deleted, and the download fails. JSON:
        /// `expectedChecksum`, `checksumAlgorithm` (`SHA256` if left out).
        public var checksum: FileChecksum?
        /// Whether a file that exists at `savePath` is kept, and nothing fetched; if not, it is replaced. JSON:
        /// `skipExisting`.
        public var skipsExisting = false
        /// The permissions of the saved file; `nil`: those that any new file of the process has, 0666 without its umask. JSON:
        /// `fileMode`, octal digits such as `"0640"`.
        public var fileMode: FileMode?
        /// What it has in common with the other workers that send HTTP requests; each request may take ten minutes unless
        /// they say otherwise. `bytesPerSecond` is the speed of all parts together.
        public var options = HTTPWorkerOptions()

        /// Creates a download with the defaults.
        public init(url: String, savePath: String) {
            self.url = url
            self.savePath = savePath
        }
    }
}

extension ParallelHttpDownloadWorker.Input {
    private enum CodingKeys: String, CodingKey {
        case url, savePath, numChunks, skipExisting, fileMode
    }

    /// Absent and null fields take their defaults; unknown ones are ignored.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        url = try container.decode(String.self, forKey: .url)
        savePath = try container.decode(String.self, forKey: .savePath)
        numChunks = try container.decodeIfPresent(Int.self, forKey: .numChunks) ?? 4
        checksum = try ChecksumFields(from: decoder).checksum
        skipsExisting = try container.decodeIfPresent(Bool.self, forKey: .skipExisting) ?? false
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
        if numChunks != 4 { try container.encode(numChunks, forKey: .numChunks) }
        try container.encodeIfPresent(fileMode, forKey: .fileMode)
        if skipsExisting { try container.encode(true, forKey: .skipExisting) }
    }

    /// The download as JSON text: the worker's input.
    public var inputJSON: String { JSONCoding.certainText(of: self) }
}

extension ParallelHttpDownloadWorker.Input: CustomReflectable {
    /// Without secrets: its URL without user, password, query and fragment.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "url": ShownURL.text(url), "savePath": savePath, "numChunks": numChunks, "checksum": checksum as Any,
                "skipsExisting": skipsExisting, "fileMode": fileMode as Any, "options": options,
            ], displayStyle: .struct)
    }
}
