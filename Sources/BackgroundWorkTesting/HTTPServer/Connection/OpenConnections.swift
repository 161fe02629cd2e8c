import Synchronization

/// The connections that are open, so that they can be ended when the server stops.
final class OpenConnections: Sendable {
    private struct Contents: ~Copyable {
        var open: Set<Int32> = []
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

    /// Forgets a connection, which its thread closes after that.
    func remove(_ descriptor: Int32) { contents.withLock { _ = $0.open.remove(descriptor) } }

    /// Hands each open connection to `body` while it cannot be closed by its thread; false when that was done before.
    func stop(_ body: (Int32) -> Void) -> Bool {
        contents.withLock { contents in
            if contents.isStopped { return false }
            contents.isStopped = true
            for descriptor in contents.open { body(descriptor) }
            return true
        }
    }
}
