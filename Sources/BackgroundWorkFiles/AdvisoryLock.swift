import BackgroundWorkSystem

/// A flock(2) on a file of its own, held until released or until the process ends, for any reason.
///
/// The descriptor is close-on-exec, so that a child process does not keep the lock of an ended parent.
package final class AdvisoryLock: Sendable {
    package let path: String
    private let descriptor: Int32

    /// What to do when another process or object holds the lock.
    package enum Contention: Sendable { case wait, giveUp }

    /// Returns `nil` when it is held elsewhere and `contention` is `.giveUp`. `.wait` blocks the calling thread.
    package init?(path: String, contention: Contention) throws {
        let opened = SystemCall.repeated { open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
        guard opened >= 0 else { throw FileError(action: "open", path: path, code: errno) }
        let answer = SystemCall.repeated { flock(opened, contention == .wait ? LOCK_EX : LOCK_EX | LOCK_NB) }
        let code = errno
        guard answer == 0 else {
            close(opened)
            if code == EWOULDBLOCK { return nil }
            throw FileError(action: "lock", path: path, code: code)
        }
        self.path = path
        descriptor = opened
    }

    /// Lets others take the lock, until ``takeAgain()``.
    package func letGo() { flock(descriptor, LOCK_UN) }

    /// Blocks while somebody else holds it.
    package func takeAgain() throws {
        guard SystemCall.repeated({ flock(descriptor, LOCK_EX) }) == 0 else {
            throw FileError(action: "lock", path: path, code: errno)
        }
    }

    deinit {
        // A child process between fork and exec has the descriptor too, and would keep the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
