import BackgroundWorkSystem
import Dispatch
import Synchronization

/// Calls back on a queue of its own each time a descriptor can be read. Owns the descriptor, and closes it when it is
/// canceled or deinitialized.
package final class DescriptorWatch: Sendable {
    /// Dispatch sources are not `Sendable` on every platform, so this one stays behind a lock.
    private let source: Mutex<any DispatchSourceRead>

    /// - Parameters:
    ///   - once: whether it cancels itself before the first call.
    ///   - ready: must read the available data, or it is called again at once.
    package init(descriptor: Int32, label: String, once: Bool = false, ready: @escaping @Sendable () -> Void) {
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: DispatchQueue(label: label))
        source.setEventHandler {
            if once { source.cancel() }
            ready()
        }
        source.setCancelHandler { close(descriptor) }
        source.resume()
        self.source = Mutex(source)
    }

    package func cancel() { source.withLock { $0.cancel() } }

    deinit { cancel() }
}
