#if BACKGROUNDWORK_HAS_ACTIVITY_SCHEDULER
import Foundation
import BackgroundWorkFoundation

/// Work that a user has started, on a Mac: the system runs it as it is, but would slow the process down while none of
/// its windows can be seen (App Nap), or put an unused Mac to sleep. An activity prevents both until the work has ended.
struct UserActivities: ContinuedTaskScheduler {
    func begin(
        _ request: ContinuedRequest, launched: @escaping @Sendable (LaunchedTask) -> Void
    ) async throws(LaunchRequestError) {
        await Self.begin(request)
        launched(
            LaunchedTask(identifier: request.identifier, timeLimit: nil) { _ in
                Task { await Self.end(request.identifier) }
            })
    }

    /// Each activity begins at once, so none waits.
    func cancel(_ identifier: String) async {}

    /// By the identifiers of their requests. On the main actor, since they are not sendable.
    @MainActor private static var activities: [String: any NSObjectProtocol] = [:]

    @MainActor
    private static func begin(_ request: ContinuedRequest) {
        activities[request.identifier] = ProcessInfo.processInfo.beginActivity(
            options: .userInitiated, reason: request.title)
    }

    @MainActor
    private static func end(_ identifier: String) {
        if let activity = activities.removeValue(forKey: identifier) { ProcessInfo.processInfo.endActivity(activity) }
    }
}
#endif
