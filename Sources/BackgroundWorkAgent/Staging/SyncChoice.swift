/// Whether one sync of the whole file system (syncfs(2)) takes less than one of each file.
///
/// It writes what every other program has left in memory as well, so it is worth its while only for many files and as
/// long as little else waits.
struct SyncChoice: Sendable, Hashable {
    /// Fewer are synced one by one.
    static let fewestFiles = 8
    /// What a disk writes in about the time that it takes to sync one more file.
    static let bytesPerFile: Int64 = 256 << 10

    var files: Int
    /// What the system has not yet written, of all programs and file systems.
    var unwrittenBytes: Int64
    /// As fstatfs(2) names it.
    var fileSystemType: Int64

    var prefersWholeFileSystem: Bool {
        files >= Self.fewestFiles && unwrittenBytes <= Int64(files) * Self.bytesPerFile
            && Self.reliableTypes.contains(fileSystemType)
    }

    /// Those of which syncfs(2), and an fsync(2) of a folder after it, make durable what an fsync(2) of each file does:
    /// ext2 to ext4, XFS, Btrfs. A file system in user space is not told of it.
    private static let reliableTypes: Set<Int64> = [0xEF53, 0x5846_5342, 0x9123_683E]
}
