import Synchronization

/// The sockets that are open, so that they can be ended when the server stops.
///
/// Each is known here until just before it is closed: its number may be that of somebody else's file a moment later.
final class OpenConnections: Sendable {
    private struct Contents: ~Copyable {
        var open: Set<Int32> = []
        var listener: Int32?
        var count = 0
        var isStopped = false
    }

    private let contents = Mutex(Contents())

    var isStopped: Bool { contents.withLock { $0.isStopped } }

    var count: Int { contents.withLock { $0.open.count } }

    /// The connection's number; `nil` when the server has stopped.
    func add(_ descriptor: Int32) -> Int? {
        contents.withLock { contents in
            if contents.isStopped { return nil }
            contents.open.insert(descriptor)
            contents.count += 1
            return contents.count
        }
    }

    /// Has the socket that is listened on ended with the connections. False when the server has stopped.
    func add(listener: Int32) -> Bool {
        contents.withLock { contents in
            if !contents.isStopped { contents.listener = listener }
            return !contents.isStopped
        }
    }

    /// Forgets the socket that is listened on, which its thread closes after that.
    func removeListener() { contents.withLock { $0.listener = nil } }

    /// Forgets a connection, which its thread closes after that.
    func remove(_ descriptor: Int32) { contents.withLock { _ = $0.open.remove(descriptor) } }

    /// Hands each open socket to `body` while it cannot be closed by its thread; false when that was done before.
    func stop(_ body: (Int32) -> Void) -> Bool {
        contents.withLock { contents in
            if contents.isStopped { return false }
            contents.isStopped = true
            for descriptor in contents.open { body(descriptor) }
            if let listener = contents.listener { body(listener) }
            return true
        }
    }
}
