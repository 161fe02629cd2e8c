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

    /// Its code goes on.
    func confirm() { isConfirmed.store(true, ordering: .releasing) }

    /// Lets the signal do what it does by default, unless the code has gone on a second later.
    func orElse(end signal: Int32) {
        SystemThread.start { [self] in
            sleep(1)
            if isConfirmed.load(ordering: .acquiring) { return }
            TerminationSignals.end(by: signal)
        }
    }
}
