import BackgroundWorkModel

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
    /// Where to save the file, absolute. For a path that ends in `/`, or that is an existing folder, the file is saved
    /// in it under the name that the server suggests. JSON: `savePath`.
    public var savePath: String
    /// The session that it belongs to; `nil`: the scheduler's. JSON: `sessionIdentifier`.
    public var sessionIdentifier: String?
    /// The expected checksum of the whole file. A file with another one is deleted, and the download fails. JSON:
    /// `expectedChecksum`, `checksumAlgorithm` (`SHA256` if left out).
    public var checksum: FileChecksum?
    /// What happens when a file exists at `savePath`. JSON: `onDuplicate`.
    public var onDuplicate = DuplicatePolicy.overwrite
    /// A longer file is rejected. JSON: `maxBytes`.
    public var maxBytes: Int64?
    /// The permissions of the saved file; `nil`: those that any new file of the process has, 0666 without its umask. JSON:
    /// `fileMode`, octal digits such as `"0640"`.
    public var fileMode: FileMode?
    /// Whether what has arrived is kept for the next attempt. JSON: `resumable`.
    public var isResumable = true
    /// Other URLs of the same file, tried in order when the previous one has failed permanently. JSON: `mirrors`.
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
        case mirrors, numChunks, maxConnections, fileMode
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
        fileMode = try container.decodeIfPresent(FileMode.self, forKey: .fileMode)
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
        try container.encodeIfPresent(fileMode, forKey: .fileMode)
        if !isResumable { try container.encode(false, forKey: .resumable) }
        if !mirrors.isEmpty { try container.encode(mirrors, forKey: .mirrors) }
        switch connections {
        case .standard: break
        case .fixed(let count): try container.encode(count, forKey: .numChunks)
        case .adaptive(let count): try container.encode(count, forKey: .maxConnections)
        }
    }
}

extension DownloadConfiguration: WorkerInput {
    /// The configuration as JSON: the input of `BackgroundDownloadWorker`. Fields with their default values are left
    /// out.
    ///
    /// Dates and durations are whole milliseconds. A retry policy's `jitter` that is not finite is null, which the
    /// worker rejects.
    public var inputJSON: String { FastJSON.text(capacity: 256) { write(to: &$0) } }
}

extension DownloadConfiguration: FastJSONCodable {
    package func write(to json: inout JSONWriter) {
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
        if let fileMode { json.member("fileMode", fileMode.digits) }
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
    }

    /// Reads what most inputs are: where from, where to, and little else.
    package init(json: JSONObject) throws {
        guard json.hasOnly("url", "savePath", "sessionIdentifier", "maxBytes", "resumable") else {
            throw JSONMismatch()
        }
        self.init(url: try json.string("url"), savePath: try json.string("savePath"))
        sessionIdentifier = try json.optionalString("sessionIdentifier")
        maxBytes = try json.optionalInteger("maxBytes")
        isResumable = try json.optionalFlag("resumable") ?? true
    }
}

/// Over how many connections one file is fetched. More than one needs a server that supports ranges, and sends the
/// length and a version of the file; otherwise one connection is used.
public enum ConnectionPlan: Sendable, Hashable, Codable {
    /// Starts with one, and adds others while much of the file is missing and each addition increases the speed.
    case adaptive(upTo: Int)
    /// Splits the file into this many ranges as soon as the server has announced that it supports them.
    case fixed(Int)

    /// Up to four.
    public static let standard = ConnectionPlan.adaptive(upTo: 4)
    /// One.
    public static let single = ConnectionPlan.fixed(1)
    /// How many there may be.
    public static let allowed = 1...16

    /// The most connections at one time.
    public var maximum: Int {
        switch self {
        case .adaptive(let count), .fixed(let count): count
        }
    }
}

/// What happens when a file exists where a download is to be saved.
public enum DuplicatePolicy: String, Sendable, Hashable, CaseIterable, Codable {
    /// The file is replaced, in one rename, once the new one is complete.
    case overwrite = "OVERWRITE"
    /// The new file is saved as `name_1.ext`, `name_2.ext`, … whichever is free first.
    case rename = "RENAME"
    /// The existing file is kept. Nothing is fetched if it exists when the transfer would be handed off; the download
    /// succeeds, and its output says so.
    case skip = "SKIP"

    /// Reads a name in any case. Throws a `DecodingError` for another.
    public init(from decoder: any Decoder) throws {
        self = try decoder.value(namedOneOf: "OVERWRITE, RENAME and SKIP") { Self(rawValue: $0.uppercased()) }
    }
}
