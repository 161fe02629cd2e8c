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

    private struct State {
        var standing = Standing.open
        /// Callers of ``sync(_:)`` that may be waiting.
        var callers = 0
    }

    package let queue: DispatchQueue
    private let state = Mutex(State())

    package init(label: String) { queue = DispatchQueue(label: label) }

    /// A queue that stays suspended is never freed, nor is what waits in it.
    deinit { proceed() }

    package func async(_ block: @escaping @Sendable () -> Void) {
        let wanted = state.withLock { state in
            // Within the lock: it is either before the block of ``hold(wanted:)``, or noticed by that.
            queue.async(execute: block)
            return Self.used(&state.standing)
        }
        wanted?()
    }

    package func sync<Value>(_ block: () throws -> Value) rethrows -> Value {
        let wanted = state.withLock { state in
            state.callers += 1
            return Self.used(&state.standing)
        }
        defer { state.withLock { $0.callers -= 1 } }
        wanted?()
        return try queue.sync(execute: block)
    }

    private static func used(_ standing: inout Standing) -> (@Sendable () -> Void)? {
        switch standing {
        case .open: return nil
        case .asked:
            standing = .asked(isUsed: true)
            return nil
        case .held(let wanted): return wanted
        }
    }

    /// Whether a block that could go on for long has to end and to continue in another one.
    package var isAsked: Bool {
        state.withLock { if case .asked = $0.standing { true } else { false } }
    }

    /// Returns when what runs, and what was submitted before, has ended.
    ///
    /// - Parameter wanted: called for whatever is submitted from now on. It must not block.
    package func hold(wanted: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                guard case .open = state.standing else { return continuation.resume() }
                state.standing = .asked(isUsed: false)
                queue.async {
                    self.suspend(wanted)
                    continuation.resume()
                }
            }
        }
    }

    /// On the queue.
    private func suspend(_ wanted: @escaping @Sendable () -> Void) {
        let isWanted = state.withLock { state in
            // It was to proceed before it was held.
            guard case .asked(let isUsed) = state.standing else { return false }
            queue.suspend()
            state.standing = .held(wanted: wanted)
            return isUsed || state.callers > 0
        }
        if isWanted { wanted() }
    }

    /// Ends ``hold(wanted:)``. Without one it does nothing.
    package func proceed() {
        state.withLock { state in
            if case .held = state.standing { queue.resume() }
            state.standing = .open
        }
    }
}
