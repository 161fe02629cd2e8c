import BackgroundWorkModel
import BackgroundWorkTransfers

/// What to take out of a ZIP archive, and where to put it: the input of ``FileExtractionWorker``.
///
/// ```swift
/// let photos = FileExtractionConfiguration(inputPath: "/home/me/photos.zip", outputPath: "/home/me/photos")
/// ```
public struct FileExtractionConfiguration: Sendable, Hashable {
    /// The archive, as an absolute path. Empty, or absent in JSON, it is the `filePath` or `savePath` of the output of the
    /// step before, which the request's `inputMerge` has to bring into the input.
    public var inputPath: String
    /// The folder for what is in the archive, as an absolute path. If it does not exist, it appears when it is complete.
    /// Otherwise it gets the archive's files beside its own, each when all are complete.
    public var outputPath: String
    /// What happens to a file of the archive whose name is taken in the folder. By default, `nil`, nothing is extracted
    /// then. JSON: `OVERWRITE`, `RENAME`, `SKIP` or `REFUSE`.
    public var onDuplicate: DuplicatePolicy?
    /// What happens to entries that are symbolic links.
    public var links = ExtractedLinks.inside
    /// The most bytes that all files together may have; `nil` for what is free on the volume.
    public var maxBytes: Int64?
    /// The most entries.
    public var maxEntries: Int64 = 1_000_000
    /// How many times as long as its compressed form a content may be, from 10 MiB on.
    public var maxRatio: Int64 = 200
    /// Whether the archive is deleted once its content is durable.
    public var deleteOriginal = false

    /// Creates a configuration with the defaults. Nothing is checked here.
    ///
    /// - Parameter inputPath: empty for the path that the output of the step before has; the request's `inputMerge` must
    ///   be ``InputMerge/overwrite`` then.
    public init(inputPath: String = "", outputPath: String) {
        self.inputPath = inputPath
        self.outputPath = outputPath
    }
}

/// What happens to symbolic links in an archive. Nothing is ever written through one.
public enum ExtractedLinks: String, Sendable, Hashable, CaseIterable, Codable {
    /// Those that lead to something in the extracted folder are made; an archive with another one is refused.
    case inside = "INSIDE"
    /// None is made. The output says how many there are.
    case skip = "SKIP"
    /// An archive with a link is refused.
    case refuse = "REFUSE"

    /// Reads a name in any case. Throws a `DecodingError` for another.
    public init(from decoder: any Decoder) throws {
        self = try decoder.value(namedOneOf: "INSIDE, SKIP and REFUSE") { Self(rawValue: $0.uppercased()) }
    }
}

extension FileExtractionConfiguration: Codable {
    private enum CodingKeys: CodingKey {
        case inputPath, outputPath, onDuplicate, links, maxBytes, maxEntries, maxRatio, deleteOriginal
    }

    /// Absent and null fields take their defaults; unknown ones are ignored.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            inputPath: try EarlierOutputPath.decode(
                decoder, inputPath: container.decodeIfPresent(String.self, forKey: .inputPath)),
            outputPath: try container.decode(String.self, forKey: .outputPath))
        if let policy = try container.decodeIfPresent(String.self, forKey: .onDuplicate),
            policy.uppercased() != "REFUSE"
        {
            guard let known = DuplicatePolicy(rawValue: policy.uppercased()) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .onDuplicate, in: container,
                    debugDescription: "\"\(policy.prefix(40))\" is none of OVERWRITE, RENAME, SKIP and REFUSE")
            }
            onDuplicate = known
        }
        if let links = try container.decodeIfPresent(ExtractedLinks.self, forKey: .links) { self.links = links }
        maxBytes = try container.decodeIfPresent(Int64.self, forKey: .maxBytes)
        if let entries = try container.decodeIfPresent(Int64.self, forKey: .maxEntries) { maxEntries = entries }
        if let ratio = try container.decodeIfPresent(Int64.self, forKey: .maxRatio) { maxRatio = ratio }
        deleteOriginal = try container.decodeIfPresent(Bool.self, forKey: .deleteOriginal) ?? false
    }

    /// Writes all fields, but no empty path.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if !inputPath.isEmpty { try container.encode(inputPath, forKey: .inputPath) }
        try container.encode(outputPath, forKey: .outputPath)
        try container.encodeIfPresent(onDuplicate, forKey: .onDuplicate)
        try container.encode(links, forKey: .links)
        try container.encodeIfPresent(maxBytes, forKey: .maxBytes)
        try container.encode(maxEntries, forKey: .maxEntries)
        try container.encode(maxRatio, forKey: .maxRatio)
        try container.encode(deleteOriginal, forKey: .deleteOriginal)
    }
}
