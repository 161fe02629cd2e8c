import BackgroundWorkSystem
import Dispatch

/// Wakes when a descriptor is readable, until it is deinitialized.
final class EventSource {
    private let source: any DispatchSourceRead

    /// Watches a duplicate, so that the owner may close its own at any time: a source must not outlive its descriptor,
    /// and ends a little after it was canceled. `nil` when the process has no descriptor left for that (errno says so).
    init?(of descriptor: Int32, on queue: DispatchQueue, woken: @escaping @Sendable (Wake) -> Void) {
        let duplicate = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard duplicate >= 0 else { return nil }
        source = DispatchSource.makeReadSource(fileDescriptor: duplicate, queue: queue)
        source.setEventHandler { woken(.events) }
        source.setCancelHandler { close(duplicate) }
        source.activate()
    }

    deinit { source.cancel() }
}
