import BackgroundWorkFiles
import BackgroundWorkSystem
import CBackgroundWorkLinux

/// The open file that a transfer's bytes go to. Closed when neither the network loop nor the storage queue refers to
/// it, so that a running sync never uses a descriptor that was closed and reused.
final class StagingFile: Sendable {
    let path: String
    /// Whether the file did not exist before.
    let isNew: Bool
    private let descriptor: Int32

    /// Opens the file, creating it if needed for this user alone. The client sets its permissions before it renames it to
    /// its target.
    init(path: String) throws(SystemCallError) {
        self.path = path
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW
        let fresh = open(path, flags | O_EXCL, 0o600)
        isNew = fresh >= 0
        descriptor = isNew || errno != EEXIST ? fresh : open(path, flags, 0o600)
        guard descriptor >= 0 else { throw SystemCallError("open", path) }
        if isNew { return }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemCallError("fstat", path) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
            throw SystemCallError("open", path, code: EPERM)
        }
    }

    deinit { close(descriptor) }

    func size() throws(SystemCallError) -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemCallError("fstat", path) }
        return Int64(status.st_size)
    }

    func truncate(to bytes: Int64) throws(SystemCallError) {
        while ftruncate(descriptor, Int(bytes)) != 0 {
            guard errno == EINTR else { throw SystemCallError("ftruncate", path) }
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemCallError) {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = pwrite(descriptor, rest.baseAddress, rest.count, Int(offset) + done)
            if count > 0 {
                done += count
            } else if count == 0 || errno != EINTR {
                throw SystemCallError("write", path, code: count == 0 ? EIO : errno)
            }
        }
    }

    /// Begins write-back early, so that the sync at the end has little left to wait for. Only a hint: ``synchronize()``
    /// reports a failure.
    func beginWriteBack(from offset: Int64, bytes: Int64) { _ = bgw_begin_writeback(descriptor, offset, bytes) }

    /// Blocks until no write-back is pending, and throws the error of an earlier write-back. This is not a sync: it is
    /// used after the whole file system was synced.
    func waitForWriteBack() throws(SystemCallError) {
        while bgw_wait_for_writeback(descriptor) != 0 {
            guard errno == EINTR else { throw SystemCallError("sync_file_range", path) }
        }
    }

    /// The checksum of its content. Blocks while the whole file is read; not for the network loop.
    func digest(_ algorithm: DigestAlgorithm) throws -> String {
        let digest = try StreamingDigest(algorithm)
        try digest.update(reading: descriptor, path: path)
        return try digest.finish()
    }

    /// Blocks until the bytes are on the disk. For the storage queue only.
    func synchronize() throws(SystemCallError) {
        while fdatasync(descriptor) != 0 {
            guard errno == EINTR else { throw SystemCallError("fdatasync", path) }
        }
    }
}
