#if os(Linux)
import CBackgroundWorkLinux
import Glibc

/// An eventfd that any thread writes to, and that makes the network loop's poll return.
final class WakeDescriptor: Sendable {
    let descriptor: Int32

    init() throws(SystemCallError) {
        descriptor = bgw_event_descriptor()
        guard descriptor >= 0 else { throw SystemCallError("eventfd", "of the network loop") }
    }

    deinit { close(descriptor) }

    func wake() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }

    func clear() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }
}
#endif
