import BackgroundWorkFiles
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Sees to it that a process that was told to end does, also when its own code finds no thread to go on with.
final class WentOn: Sendable {
    private let isConfirmed = Atomic(false)
    /// Shutdowns of this process that go on.
    private static let shutdowns = Atomic(0)

    static func shutdownBegins() { shutdowns.add(1, ordering: .sequentiallyConsistent) }

    static func shutdownEnds() { shutdowns.subtract(1, ordering: .sequentiallyConsistent) }

    /// Its code goes on.
    func confirm() { isConfirmed.store(true, ordering: .releasing) }

    /// Ends the process, as a return from `main` would, unless the code has gone on a second later.
    func orElseExit() {
        SystemThread.start { [self] in
            repeat { sleep(1) } while Self.shutdowns.load(ordering: .sequentiallyConsistent) > 0
            if isConfirmed.load(ordering: .acquiring) { return }
            fflush(nil)
            // Not `exit`: what other threads still use must not be torn down under them.
            _exit(0)
        }
    }
}
