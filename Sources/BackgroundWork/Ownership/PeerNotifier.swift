import BackgroundWorkFiles
import BackgroundWorkSystem

/// How schedulers on one directory wake each other: each reads a FIFO beside its lock file, and the others write a
/// byte to it.
final class PeerNotifier: Sendable {
    private let path: String
    private let watch: DescriptorWatch

    /// - Parameters:
    ///   - lockPath: this scheduler's lock file.
    ///   - rung: called on a private queue when another scheduler has committed something; several rings may come as one.
    init(lockPath: String, rung: @escaping @Sendable () -> Void) throws {
        let path = Self.path(lockPath)
        guard mkfifo(path, 0o600) == 0 || errno == EEXIST else {
            throw FileError(action: "make the FIFO", path: path, code: errno)
        }
        // For writing as well, so that the last ringer's going is no end of the file.
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

    /// Where the bell of a scheduler hangs.
    static func path(_ lockPath: String) -> String { lockPath + suffix }

    /// Wakes the scheduler with that lock file. One that has gone needs no waking, and a full FIFO rings already.
    static func ring(_ lockPath: String) {
        // For reading as well: a reader that goes between the opening and the writing would bring SIGPIPE.
        let descriptor = open(path(lockPath), O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return }
        var byte: UInt8 = 1
        _ = write(descriptor, &byte, 1)
        close(descriptor)
    }
}
