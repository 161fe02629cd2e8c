#if BACKGROUNDWORK_HAS_SUSPENSION
import Foundation

/// The process's activities, as the system counts them: in apps and in their extensions.
struct ProcessActivities: ExpiringActivities {
    /// UIKit's notifications of an app, and Foundation's of an extension, by their names: neither is there in the other.
    private static let changes: [(name: String, isInBackground: Bool)] = [
        ("UIApplicationDidEnterBackgroundNotification", true),
        ("UIApplicationWillEnterForegroundNotification", false),
        ("NSExtensionHostDidEnterBackgroundNotification", true),
        ("NSExtensionHostWillEnterForegroundNotification", false),
    ]

    func perform(_ block: @escaping @Sendable (_ isExpired: Bool) -> Void) {
        ProcessInfo.processInfo.performExpiringActivity(withReason: "BackgroundWork", using: block)
    }

    var backgroundChanges: AsyncStream<Bool> {
        AsyncStream { continuation in
            let tasks = Self.changes.map { change in
                Task {
                    let name = Notification.Name(change.name)
                    for await _ in NotificationCenter.default.notifications(named: name) {
                        continuation.yield(change.isInBackground)
                    }
                }
            }
            continuation.onTermination = { _ in for task in tasks { task.cancel() } }
        }
    }
}
#endif
