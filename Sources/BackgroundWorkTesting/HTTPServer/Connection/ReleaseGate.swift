#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Holds threads that wait in poll(2) until it is opened, for ever after.
final class ReleaseGate: Sendable {
    /// Readable once the gate is open. Nobody reads it, so it wakes all and stays readable.
    let signal: Int32
    private let opener: Int32

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

    func open() {
        var byte: UInt8 = 1
        _ = write(opener, &byte, 1)
    }
}
