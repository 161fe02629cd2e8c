import BackgroundWorkModel

/// What to put into a ZIP archive: the input of ``FileCompressionWorker``.
///
/// ```swift
/// var logs = FileCompressionConfiguration(inputPath: "/home/me/logs", outputPath: "/home/me/logs.zip")
/// logs.excludePatterns = ["*.tmp", ".DS_Store", "cache/"]
/// ```
public struct FileCompressionConfiguration: Sendable, Hashable {
    /// A file or a folder, as an absolute path. Empty, or absent in JSON, it is the `folderPath`, `filePath` or `savePath`
    /// of the output of the step before, which the request's `inputMerge` has to bring into the input.
    public var inputPath: String
    /// The archive, as an absolute path that ends in `.zip`, in any case. A file that is there is replaced when the new
    /// one is complete.
    public var outputPath: String
    /// How much time is spent to make it small.
    public var compressionLevel = CompressionLevel.medium
    /// What is left out of a folder. Docs/workers.md has the syntax.
    public var excludePatterns: [String] = []
    /// Whether what is in the archive, and has not changed since, is deleted once the archive is durable.
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

/// How much time compression takes for how small a result.
public enum CompressionLevel: String, Sendable, Hashable, CaseIterable, Codable {
    /// The fastest: zlib's level 1.
    case low
    /// zlib's level 6.
    case medium
    /// The smallest: zlib's level 9.
    case high

    var zlibLevel: Int {
        switch self {
        case .low: 1
        case .medium: 6
        case .high: 9
        }
    }

    /// Reads a name in any case. Throws a `DecodingError` for another.
    public init(from decoder: any Decoder) throws {
        self = try decoder.value(namedOneOf: "low, medium and high") { Self(rawValue: $0.lowercased()) }
    }
}

extension FileCompressionConfiguration: Codable {
    private enum CodingKeys: CodingKey {
        case inputPath, outputPath, compressionLevel, excludePatterns, deleteOriginal
    }

    /// Absent and null fields take their defaults; unknown ones are ignored.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            inputPath: try EarlierOutputPath.decode(
                decoder, inputPath: container.decodeIfPresent(String.self, forKey: .inputPath)),
            outputPath: try container.decode(String.self, forKey: .outputPath))
        if let level = try container.decodeIfPresent(CompressionLevel.self, forKey: .compressionLevel) {
            compressionLevel = level
        }
        excludePatterns = try container.decodeIfPresent([String].self, forKey: .excludePatterns) ?? []
        deleteOriginal = try container.decodeIfPresent(Bool.self, forKey: .deleteOriginal) ?? false
    }

    /// Writes all fields, but no empty path.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if !inputPath.isEmpty { try container.encode(inputPath, forKey: .inputPath) }
        try container.encode(outputPath, forKey: .outputPath)
        try container.encode(compressionLevel, forKey: .compressionLevel)
        try container.encode(excludePatterns, forKey: .excludePatterns)
        try container.encode(deleteOriginal, forKey: .deleteOriginal)
    }
}
