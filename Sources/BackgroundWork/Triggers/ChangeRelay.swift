import Synchronization

/// Passes a watcher's calls on to an object that is built after it.
final class ChangeRelay: Sendable {
    private struct Receiver {
        var receive: @Sendable (String) -> Void
    }

    private let receiver = Mutex<Receiver?>(nil)

    func connect(_ receive: @escaping @Sendable (String) -> Void) {
        receiver.withLock { $0 = Receiver(receive: receive) }
    }

    func tell(_ path: String) { receiver.withLock { $0 }?.receive(path) }
}
