import Synchronization

/// The sockets that are open, so that they can be ended when the server stops.
///
/// Each is listed here until just before it is closed: its descriptor may be reused for another file a moment later.
final class OpenConnections: Sendable {
    private struct Contents: ~Copyable {
        var open: Set<Int32> = []
        var listener: Int32?
        var count = 0
        var isStopped = false
    }

    private let contents = Mutex(Contents())

    var isStopped: Bool { contents.withLock { $0.isStopped } }

    /// How many there have been.
    var total: Int { contents.withLock { $0.count } }

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

    /// Adds the listening socket, which is ended with the connections. False when the server has stopped.
    func add(listener: Int32) -> Bool {
        contents.withLock { contents in
            if !contents.isStopped { contents.listener = listener }
            return !contents.isStopped
        }
    }

    /// Removes the listening socket, which its thread closes after that.
    func removeListener() { contents.withLock { $0.listener = nil } }

    /// Removes a connection, which its thread closes after that.
    func remove(_ descriptor: Int32) { contents.withLock { _ = $0.open.remove(descriptor) } }

    /// Passes each open socket to `body` while its thread cannot close it; false when the server was already stopped.
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
