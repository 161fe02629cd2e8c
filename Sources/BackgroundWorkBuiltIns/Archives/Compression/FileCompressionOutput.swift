/// What ``FileCompressionWorker`` has made. In JSON its members have the same names.
public struct FileCompressionOutput: Sendable, Hashable, Codable {
    /// The archive's path.
    public var filePath: String
    /// How many entries it has: files, folders and links.
    public var entries: Int
    /// The length of all files that were read.
    public var bytesIn: Int64
    /// The archive's length.
    public var bytesOut: Int64
    /// How many files and folders a pattern has left out. What is in such a folder is not counted.
    public var excluded = 0
    /// How many named pipes, sockets and devices were left out.
    public var skipped = 0
    /// How many files and folders were removed by others before they could be read.
    public var vanished = 0
    /// With `deleteOriginal`, how many files and folders of the archive were not deleted, because they have changed or
    /// something else is in them.
    public var kept = 0
}
