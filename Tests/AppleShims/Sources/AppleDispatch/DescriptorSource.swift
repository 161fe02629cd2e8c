import Dispatch
import Glibc
import Synchronization

/// A descriptor of Linux's that becomes readable, with the handlers of the source that it stands beneath.
final class DescriptorSource: Sendable {
    /// Only called on the queue, one after the other, which is what Dispatch promises the caller of every source.
    private struct Handlers: @unchecked Sendable {
        var event: (() -> Void)?
        var cancel: (() -> Void)?
        var isCancelled = false
    }

    private let handlers = Mutex(Handlers())
    private let queue: DispatchQueue
    private let reader: DispatchSource

    /// - Parameters:
    ///   - descriptor: closed when the source is cancelled or freed.
    ///   - once: ends the reading with the first event.
    ///   - readable: on the queue; whether the caller's handler is to be called.
    init(
        descriptor: Int32, queue: DispatchQueue?, once: Bool = false, readable: @escaping @Sendable () -> Bool
    ) {
        self.queue = queue ?? .global()
        // Dispatch's class, which it returns by a protocol, is Sendable; the protocol is that on Apple's platforms only.
        guard
            let reader = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: self.queue) as? DispatchSource
        else { preconditionFailure("Dispatch's source is of another class") }
        self.reader = reader
        reader.setCancelHandler { close(descriptor) }
        reader.setEventHandler { [weak self] in
            guard readable(), let self else { return }
            if once { reader.cancel() }
            let event = handlers.withLock { $0.isCancelled ? nil : $0.event }
            event?()
        }
    }

    deinit { reader.cancel() }

    var isCancelled: Bool { handlers.withLock { $0.isCancelled } }

    func setEvent(_ handler: (() -> Void)?) {
        let changed = Handlers(event: handler)
        handlers.withLock { $0.event = changed.event }
    }

    func setCancel(_ handler: (() -> Void)?) {
        let changed = Handlers(cancel: handler)
        handlers.withLock { $0.cancel = changed.cancel }
    }

    func setRegistration(_ handler: (() -> Void)?) { reader.setRegistrationHandler(handler: handler) }
    func activate() { reader.activate() }
    func resume() { reader.resume() }
    func suspend() { reader.suspend() }

    func cancel() {
        reader.cancel()
        let last = handlers.withLock { handlers -> Handlers in
            defer {
                handlers.isCancelled = true
                handlers.cancel = nil
            }
            return handlers
        }
        queue.async { last.cancel?() }
    }
}
