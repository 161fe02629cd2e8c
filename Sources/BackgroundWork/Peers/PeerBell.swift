import BackgroundWorkFiles
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// How schedulers on one directory wake each other: each reads a FIFO beside its lock file, and the others write a
/// byte to it.
final class PeerBell: Sendable {
    private let path: String
    private let watch: DescriptorWatch
    private let descriptor: Int32
    /// How often it has rung, and up to which ring the news have been read.
    private let rings: RingCount

    private final class RingCount: Sendable {
        let rung = Atomic(0)
        let read = Atomic(0)
    }

    /// - Parameters:
    ///   - lockPath: this scheduler's lock file.
    ///   - rung: called on a private queue when another scheduler has committed something; several rings may come as one.
    init(lockPath: String, rung: @escaping @Sendable () -> Void) throws {
        let rings = RingCount()
        let path = Self.path(lockPath)
        guard mkfifo(path, 0o600) == 0 || errno == EEXIST else {
            throw FileError(action: "make the FIFO", path: path, code: errno)
        }
        // For writing as well, so that the last ringer's going is no end of the file.
        let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw FileError(action: "open", path: path, code: errno) }
        self.path = path
        self.descriptor = descriptor
        self.rings = rings
        watch = DescriptorWatch(descriptor: descriptor, label: "BackgroundWork.PeerBell") {
            // Before the bytes are gone, so that at no instant there seems to be nothing.
            rings.rung.add(1, ordering: .acquiringAndReleasing)
            var bytes = [UInt8](repeating: 0, count: 4096)
            while systemRead(descriptor, &bytes, bytes.count) > 0 {}
            rung()
        }
    }

    /// The number of the newest ring, for ``newsAreRead(upTo:)``.
    var newestRing: Int { rings.rung.load(ordering: .acquiring) }

    /// What was committed before that ring has been read.
    func newsAreRead(upTo ring: Int) { rings.read.store(ring, ordering: .releasing) }

    /// Whether another scheduler has committed something that has not been read. Once its call has returned there, this
    /// is true here.
    var hasUnreadNews: Bool {
        if rings.rung.load(ordering: .acquiring) != rings.read.load(ordering: .acquiring) { return true }
        var descriptors = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&descriptors, 1, 0) > 0
    }

    func stop() {
        watch.cancel()
        unlink(path)
    }

    /// Where the bell of a scheduler hangs.
    static func path(_ lockPath: String) -> String { lockPath + ".bell" }

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

/// Inside a type with a `read` of its own, the C library's is out of sight.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}
