/// Whether one sync of the whole file system (syncfs(2)) takes less than one of each file.
///
/// It also writes the unwritten data of all other programs, so it is only faster for many files and while there is
/// little other data.
struct SyncChoice: Sendable, Hashable {
    /// Fewer files are synced one by one.
    static let fewestFiles = 8
    /// How many bytes a disk writes in about the time of one more file sync.
    static let bytesPerFile: Int64 = 256 << 10

    var files: Int
    /// The unwritten bytes of all programs and file systems.
    var unwrittenBytes: Int64
    /// As reported by fstatfs(2).
    var fileSystemType: Int64

    var prefersWholeFileSystem: Bool {
        files >= Self.fewestFiles && unwrittenBytes <= Int64(files) * Self.bytesPerFile
            && Self.reliableTypes.contains(fileSystemType)
    }

    /// File systems on which syncfs(2), followed by an fsync(2) of a folder, makes durable what an fsync(2) of each
    /// file does: ext2 to ext4, XFS, Btrfs. A file system in user space is not notified of syncfs(2).
    private static let reliableTypes: Set<Int64> = [0xEF53, 0x5846_5342, 0x9123_683E]
}
