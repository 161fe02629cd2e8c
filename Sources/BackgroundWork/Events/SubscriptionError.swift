#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A durable subscription could not be opened.
public enum SubscriptionError: Error, Hashable, CustomStringConvertible {
    /// The name is in use by another stream, in this process or another.
    case held(name: String)
    /// The shared bus only joins live events.
    case notOfOneScheduler

    /// What is in the way, and what to do.
    public var description: String {
        switch self {
        case .held(let name):
            "The subscriber \"\(name)\" is held by another stream. End that one, or use a name of your own."
        case .notOfOneScheduler:
            "TaskEventBus.shared has no durable subscriptions. Use the bus of a scheduler: scheduler.eventBus."
        }
    }
}

extension SubscriptionError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
