import BackgroundWorkSystem
import Dispatch
import Synchronization

/// Reports the end of another process, once and without polling.
final class ProcessEnd: Sendable {
    private let source: Mutex<any DispatchSourceProcess>

    /// `nil` when the process no longer exists, or the system cannot watch it.
    init?(of process: Int32, ended: @escaping @Sendable () -> Void) {
        guard kill(process, 0) == 0 else { return nil }
        let source = DispatchSource.makeProcessSource(
            identifier: process, eventMask: .exit, queue: DispatchQueue(label: "BackgroundWork.ProcessEnd"))
        source.setEventHandler(handler: ended)
        source.resume()
        self.source = Mutex(source)
    }

    deinit { source.withLock { $0.cancel() } }
}
