import BackgroundWorkFiles
import BackgroundWorkSystem
import BackgroundWorkTransfers
import CBackgroundWorkLinux

/// The folder of the staging files: `<task>.part`, one for each transfer that runs or whose outcome is not
/// acknowledged.
struct StagingFolder: Sendable {
    let paths: AgentPaths

    /// Throws `NotOwnError` when something else exists at its path.
    func create() throws { _ = try OwnFolder(path: paths.stagingDirectory, creating: true) }

    /// Makes the names of the files in it durable.
    func synchronize() throws(SystemCallError) {
        let folder = open(paths.stagingDirectory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { throw SystemCallError("open", paths.stagingDirectory) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw SystemCallError("fsync", paths.stagingDirectory) }
    }

    /// Makes everything on the folder's file system durable, if `isWanted` accepts its type; `false` when it did not,
    /// or when the sync failed.
    func synchronizeFileSystem(if isWanted: (_ type: Int64) -> Bool) -> Bool {
        let folder = open(paths.stagingDirectory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { return false }
        defer { close(folder) }
        let type = bgw_file_system_type(folder)
        // Without a journal syncfs(2) leaves the inodes in the disk's own cache, and fsync(2) empties that.
        return type >= 0 && isWanted(type) && bgw_sync_file_system(folder) == 0 && fsync(folder) == 0
    }

    /// Deletes a transfer's file, if it still exists, and its mark file. This takes time for a large file, so it runs
    /// on the storage queue.
    func delete(task: Int64) {
        deleteFile(task: task)
        MarkFile.remove(paths.marksFile(task: task))
    }

    /// Deletes the file of an ended transfer, if the client has not moved it away. Its mark file was deleted at its
    /// end.
    func deleteFile(task: Int64) {
        let path = paths.stagingFile(task: task)
        if unlink(path) != 0, errno != ENOENT { AgentLog.write("\(SystemCallError("unlink", path))") }
    }

    /// Deletes files that belong to no transfer: left by an interrupted cancel or by a lost journal.
    func deleteAll(except known: Set<Int64>) {
        guard let folder = opendir(paths.stagingDirectory) else { return }
        defer { closedir(folder) }
        var orphans: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard let dot = name.firstIndex(of: "."), let task = Int64(name[..<dot]), !known.contains(task) else {
                continue
            }
            orphans.append(name)
        }
        for name in orphans {
            AgentLog.write("staging file \(name) belongs to no transfer; deleted")
            unlink(paths.stagingDirectory + "/" + name)
        }
    }

    /// Truncates a file to the bytes that are known to have reached the disk before a reboot: its first bytes, or its
    /// parts at that time. A file that is shorter than that was modified from outside, and is emptied.
    func cut(task: Int64, toCheckpoint checkpoint: Int64, parts: SegmentTable?) throws(SystemCallError) {
        let path = paths.stagingFile(task: task)
        MarkFile.remove(paths.marksFile(task: task))
        guard access(path, F_OK) == 0 else { return }
        let file = try StagingFile(path: path)
        let size = try file.size()
        if let parts {
            if size < parts.writtenEnd { return try file.truncate(to: 0) }
            _ = try MarkFile(path: paths.marksFile(task: task), table: parts)
            return
        }
        if size != checkpoint { try file.truncate(to: size > checkpoint ? checkpoint : 0) }
    }
}
