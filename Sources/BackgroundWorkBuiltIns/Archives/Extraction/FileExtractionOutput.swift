/// What ``FileExtractionWorker`` has extracted. In JSON its members have the same names.
public struct FileExtractionOutput: Sendable, Hashable, Codable {
    /// The folder with the archive's content.
    public var folderPath: String
    /// How many entries the archive has: files, folders and links.
    public var entries: Int
    /// The archive's length.
    public var bytesIn: Int64
    /// The length of all files.
    public var bytesOut: Int64
    /// How many files and links were left out because their names were taken. A folder whose name a file has counts as
    /// one.
    public var skipped = 0
    /// How many links were left out because of `links`.
    public var skippedLinks = 0
    /// With `deleteOriginal`, 1 if the archive was not deleted because it has changed; otherwise 0.
    public var kept = 0
}
