/// A download, as a host asks for it. As JSON it is the input of `BackgroundDownloadWorker`.
///
/// ```swift
/// var download = DownloadConfiguration(url: "https://example.com/film.mp4", savePath: "/home/me/film.mp4")
/// download.checksum = FileChecksum(.sha256, hex: digits)
/// download.options.group = "films"
/// ```
public struct DownloadConfiguration: Sendable, Hashable {
    /// What to fetch: http or https. JSON: `url`.
    public var url: String
    /// Where the file is to stand, absolute. A path that ends in `/`, or at which a folder stands, takes a file under
    /// the name that the server suggests. JSON: `savePath`.
    public var savePath: String
    /// The session that it belongs to; `nil`: the scheduler's. JSON: `sessionIdentifier`.
    public var sessionIdentifier: String?
    /// What the whole file must have. A file that has another is deleted, and the download fails. JSON:
    /// `expectedChecksum`, `checksumAlgorithm` (`SHA256` if left out).
    public var checksum: FileChecksum?
    /// What happens when a file stands at `savePath`. JSON: `onDuplicate`.
    public var onDuplicate = DuplicatePolicy.overwrite
    /// A longer file is refused. JSON: `maxBytes`.
    public var maxBytes: Int64?
    /// Whether what has arrived is kept for the next attempt. JSON: `resumable`.
    public var isResumable = true
    /// Other URLs of the same file, tried in order when the one before has failed for good. JSON: `mirrors`.
    public var mirrors: [String] = []
    /// JSON: `numChunks` for a fixed count, `maxConnections` for an adaptive one.
    public var connections = ConnectionPlan.standard
    /// What downloads have in common with uploads.
    public var options = TransferOptions()

    /// Creates a download with the defaults.
    public init(url: String, savePath: String) {
        self.url = url
        self.savePath = savePath
    }
}

extension DownloadConfiguration: Codable {
    private enum CodingKeys: String, CodingKey {
        case url, savePath, sessionIdentifier, expectedChecksum, checksumAlgorithm, onDuplicate, maxBytes, resumable
        case mirrors, numChunks, maxConnections
    }

    /// Absent and null fields take their defaults; unknown ones are ignored.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        url = try container.decode(String.self, forKey: .url)
        savePath = try container.decode(String.self, forKey: .savePath)
        sessionIdentifier = try container.decodeIfPresent(String.self, forKey: .sessionIdentifier)
        let algorithm = try container.decodeIfPresent(ChecksumAlgorithm.self, forKey: .checksumAlgorithm) ?? .sha256
        checksum = try container.decodeIfPresent(String.self, forKey: .expectedChecksum)
            .map { FileChecksum(algorithm, hex: $0) }
        onDuplicate = try container.decodeIfPresent(DuplicatePolicy.self, forKey: .onDuplicate) ?? .overwrite
        maxBytes = try container.decodeIfPresent(Int64.self, forKey: .maxBytes)
        isResumable = try container.decodeIfPresent(Bool.self, forKey: .resumable) ?? true
        mirrors = try container.decodeIfPresent([String].self, forKey: .mirrors) ?? []
        if let count = try container.decodeIfPresent(Int.self, forKey: .numChunks) {
            connections = .fixed(count)
        } else if let count = try container.decodeIfPresent(Int.self, forKey: .maxConnections) {
            connections = .adaptive(upTo: count)
        }
        options = try TransferOptions(from: decoder)
    }

    /// Writes what differs from the defaults.
    public func encode(to encoder: any Encoder) throws {
        try options.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(url, forKey: .url)
        try container.encode(savePath, forKey: .savePath)
        try container.encodeIfPresent(sessionIdentifier, forKey: .sessionIdentifier)
        try container.encodeIfPresent(checksum?.hex, forKey: .expectedChecksum)
        try container.encodeIfPresent(checksum?.algorithm, forKey: .checksumAlgorithm)
        if onDuplicate != .overwrite { try container.encode(onDuplicate, forKey: .onDuplicate) }
        try container.encodeIfPresent(maxBytes, forKey: .maxBytes)
        if !isResumable { try container.encode(false, forKey: .resumable) }
        if !mirrors.isEmpty { try container.encode(mirrors, forKey: .mirrors) }
        switch connections {
        case .standard: break
        case .fixed(let count): try container.encode(count, forKey: .numChunks)
        case .adaptive(let count): try container.encode(count, forKey: .maxConnections)
        }
    }
}
