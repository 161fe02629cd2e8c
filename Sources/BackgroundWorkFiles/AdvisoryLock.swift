import BackgroundWorkSystem

/// A flock(2) on a file of its own, held until released or until the process ends, whichever way it ends.
///
/// The descriptor is close-on-exec, so that a child process does not keep a dead parent's lock.
package final class AdvisoryLock: Sendable {
    package let path: String
    private let descriptor: Int32

    /// What `flock` is asked to do when somebody else holds the lock.
    package enum Contention: Sendable { case wait, giveUp }

    /// Returns `nil` when somebody else holds it and `contention` is `.giveUp`. `.wait` blocks the calling thread.
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

    deinit {
        // A child that is between fork and exec at this instant has the descriptor too, and would keep the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
