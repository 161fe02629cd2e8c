import Dispatch
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// SIGTERM and SIGINT as something to wait for.
///
/// The handler writes a byte into a pipe, so that from the moment it is installed no signal is lost, whether or not
/// anybody reads yet.
enum TerminationSignals {
    private static let writeEnd = Atomic<Int32>(-1)

    static func wait() async {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        writeEnd.store(ends[1], ordering: .releasing)
        for number in [SIGTERM, SIGINT] {
            signal(number) { _ in
                var byte: UInt8 = 1
                _ = write(TerminationSignals.writeEnd.load(ordering: .acquiring), &byte, 1)
            }
        }
        let arrived = WakeSignal()
        let source = DispatchSource.makeReadSource(fileDescriptor: ends[0], queue: .global())
        source.setEventHandler { arrived.raise() }
        source.resume()
        await arrived.wait()
        source.cancel()
    }
}
