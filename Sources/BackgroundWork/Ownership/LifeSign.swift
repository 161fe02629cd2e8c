import BackgroundWorkSystem

/// Shows others that an owner is there while it has let its lock go: its notification FIFO, open for reading. The kernel
/// closes that when the process ends, and it is no lock.
final class LifeSign: Sendable {
    private let descriptor: Int32

    /// `nil` where there are no FIFOs. Then the number of the process must do.
    init?(lockPath: String) {
        let path = PeerNotifier.path(lockPath)
        guard mkfifo(path, 0o600) == 0 || errno == EEXIST else { return nil }
        descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// Whether the owner of a lock file, which is free, is there all the same.
    static func isShown(lockPath: String, boot: String) -> Bool {
        guard let process = RunNotes.suspendedProcess(path: lockPath, boot: boot) else { return false }
        let descriptor = open(PeerNotifier.path(lockPath), O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
        if descriptor >= 0 {
            close(descriptor)
            return true
        }
        // Nobody reads.
        if errno == ENXIO { return false }
        // A process that may not be signaled is there.
        return kill(process, 0) == 0 || errno == EPERM
    }
}
