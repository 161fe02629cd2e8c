import BackgroundWorkFiles
import BackgroundWorkSystem

/// How schedulers on one directory notify each other: each reads a FIFO beside its lock file, and the others write a
/// byte to it.
final class PeerNotifier: Sendable {
    private let path: String
    private let watch: DescriptorWatch

    /// - Parameters:
    ///   - lockPath: this scheduler's lock file.
    ///   - rung: called on a private queue when another scheduler has committed something; several notifications may
    ///     be merged into one.
    init(lockPath: String, rung: @escaping @Sendable () -> Void) throws {
        let path = Self.path(lockPath)
        guard mkfifo(path, 0o600) == 0 || errno == EEXIST else {
            throw FileError(action: "make the FIFO", path: path, code: errno)
        }
        // Opened for writing as well, so that the FIFO does not reach its end when the last writer closes it.
        let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw FileError(action: "open", path: path, code: errno) }
        self.path = path
        watch = DescriptorWatch(descriptor: descriptor, label: "BackgroundWork.PeerNotifier") {
            var bytes = [UInt8](repeating: 0, count: 4096)
            while read(descriptor, &bytes, bytes.count) > 0 {}
            rung()
        }
    }

    func stop() {
        watch.cancel()
        unlink(path)
    }

    static let suffix = ".bell"

    /// The path of a scheduler's FIFO.
    static func path(_ lockPath: String) -> String { lockPath + suffix }

    /// Notifies the scheduler with that lock file. One that has ended needs no notification, and a full FIFO already
    /// holds one.
    static func ring(_ lockPath: String) {
        // Opened for reading as well: a reader that closes between the open and the write would cause SIGPIPE.
        let descriptor = open(path(lockPath), O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return }
        var byte: UInt8 = 1
        _ = write(descriptor, &byte, 1)
        close(descriptor)
    }
}
