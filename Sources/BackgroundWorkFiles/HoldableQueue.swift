import Dispatch
import Synchronization

/// A serial queue that can be held: what is running ends, and nothing else runs until it proceeds.
///
/// For queues whose blocks lock files, in a process that must not hold a lock while it is suspended.
package final class HoldableQueue: Sendable {
    private enum Standing {
        case open
        case asked(isUsed: Bool)
        case held(wanted: @Sendable () -> Void)
    }

    package let queue: DispatchQueue
    private let standing = Mutex(Standing.open)

    package init(label: String) { queue = DispatchQueue(label: label) }

    deinit { proceed() }

    package func async(_ block: @escaping @Sendable () -> Void) {
        used()
        queue.async(execute: block)
    }

    package func sync<Value>(_ block: () throws -> Value) rethrows -> Value {
        used()
        return try queue.sync(execute: block)
    }

    /// Whether a block that could go on for long has to end and to continue in another one.
    package var isAsked: Bool {
        standing.withLock { if case .asked = $0 { true } else { false } }
    }

    /// Returns when what runs, and what was submitted before, has ended.
    ///
    /// - Parameter wanted: called for whatever is submitted from now on. It must not block.
    package func hold(wanted: @escaping @Sendable () -> Void) async {
        let isFirst = standing.withLock { standing in
            guard case .open = standing else { return false }
            standing = .asked(isUsed: false)
            return true
        }
        guard isFirst else { return }
        await withCheckedContinuation { continuation in
            queue.async {
                let isWanted = self.standing.withLock { standing in
                    // It was to proceed before it was held.
                    guard case .asked(let isUsed) = standing else { return false }
                    self.queue.suspend()
                    standing = .held(wanted: wanted)
                    return isUsed
                }
                if isWanted { wanted() }
                continuation.resume()
            }
        }
    }

    /// Ends ``hold(wanted:)``. Without one it does nothing.
    package func proceed() {
        standing.withLock { standing in
            if case .held = standing { queue.resume() }
            standing = .open
        }
    }

    private func used() {
        let wanted = standing.withLock { standing -> (@Sendable () -> Void)? in
            switch standing {
            case .open: return nil
            case .asked:
                standing = .asked(isUsed: true)
                return nil
            case .held(let wanted): return wanted
            }
        }
        wanted?()
    }
}
