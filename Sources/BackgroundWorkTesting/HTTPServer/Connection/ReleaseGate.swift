import BackgroundWorkSystem
import Synchronization

/// Holds threads that wait in poll(2) until it is opened; it is never closed again.
final class ReleaseGate: Sendable {
    /// Readable once the gate is open. It is never read, so it wakes all threads and stays readable.
    let signal: Int32
    private let opener: Int32
    private let limit = Atomic<Int64>(0)

    /// How many bytes of a body may pass; 0 while it is closed.
    var openFor: Int64 { limit.load(ordering: .acquiring) }

    /// `nil` when the process has no descriptors left.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (signal, opener) = (ends[0], ends[1])
    }

    deinit {
        close(signal)
        close(opener)
    }

    /// - Parameter bytes: how many bytes of a body may pass.
    func open(for bytes: Int64) {
        limit.store(bytes, ordering: .releasing)
        var byte: UInt8 = 1
        _ = write(opener, &byte, 1)
    }
}
