import BackgroundWorkSystem

/// Shows other processes that this one is there, while it may be suspended: a FIFO that is open for reading. The kernel
/// closes that when the process ends, and it is no lock.
final class LifeSign: Sendable {
    private let descriptor: Int32

    /// `nil` where there are no FIFOs.
    init?(at path: String) {
        guard mkfifo(path, 0o600) == 0 || errno == EEXIST else { return nil }
        descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// Whether a process shows it; `nil` if there is no FIFO.
    static func isShown(at path: String) -> Bool? {
        let descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
        if descriptor >= 0 {
            close(descriptor)
            return true
        }
        // Nobody reads.
        return errno == ENXIO ? false : nil
    }
}
