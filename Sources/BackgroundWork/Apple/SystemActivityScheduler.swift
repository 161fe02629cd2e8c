#if BACKGROUNDWORK_HAS_ACTIVITY_SCHEDULER
import BackgroundWorkFoundation
import Foundation

/// NSBackgroundActivityScheduler. Its objects stay on the main actor, since they are not sendable.
struct SystemActivityScheduler: ActivityScheduler {
    func schedule(
        _ identifier: String, after delay: Duration, flexibility: Duration,
        began: @escaping @Sendable (any SystemActivity) -> Void
    ) async {
        await Self.replace(identifier, Pending(identifier, after: delay, flexibility: flexibility, began: began))
    }

    func cancel(_ identifier: String) async { await Self.replace(identifier, nil) }

    @MainActor private static var pending: [String: Pending] = [:]

    @MainActor
    private static func replace(_ identifier: String, _ new: Pending?) {
        pending[identifier]?.system.invalidate()
        pending[identifier] = new
        new?.schedule()
    }

    @MainActor
    private final class Pending: Sendable {
        let system: NSBackgroundActivityScheduler
        private let began: @Sendable (any SystemActivity) -> Void

        init(
            _ identifier: String, after delay: Duration, flexibility: Duration,
            began: @escaping @Sendable (any SystemActivity) -> Void
        ) {
            system = NSBackgroundActivityScheduler(identifier: identifier)
            // The tolerance counts in both directions.
            system.tolerance = (flexibility / 2) / .seconds(1)
            system.interval = delay / .seconds(1) + system.tolerance
            system.repeats = false
            self.began = began
        }

        var shouldDefer: Bool { system.shouldDefer }

        func schedule() {
            system.schedule { completed in
                self.began(Activity(pending: self, completed: completed))
            }
        }
    }

    private struct Activity: SystemActivity {
        var pending: Pending
        var completed: NSBackgroundActivityScheduler.CompletionHandler

        var shouldDefer: Bool { get async { await pending.shouldDefer } }

        func end(isFinished: Bool) async { completed(isFinished ? .finished : .deferred) }
    }
}
#endif
