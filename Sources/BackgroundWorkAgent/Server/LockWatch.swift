#if os(Linux)
import Glibc

/// Tells when files are deleted from the agent's folder, the lock among them perhaps: who has deleted the folder wants no
/// agent there, and one that stayed would be beside its successor.
final class LockWatch {
    /// Ready to be read when something was deleted; -1 when the system has no watch to give.
    let descriptor: Int32

    /// - Parameter folder: an open descriptor of the folder.
    init(folder: Int32) {
        descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard descriptor >= 0 else { return }
        _ = inotify_add_watch(descriptor, "/proc/self/fd/\(folder)", UInt32(IN_DELETE))
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Takes what was told, so that the descriptor is ready again only after the next deletion.
    func clear() {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
        }
    }
}
#endif
