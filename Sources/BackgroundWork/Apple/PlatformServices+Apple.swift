import BackgroundWorkModel
import BackgroundWorkTransfers
import BackgroundWorkURLSession
import Foundation

/// On Apple's systems transfers are carried out by background URL sessions, and BGTaskScheduler launches an app for its
/// due work where there is one.
extension PlatformServices {
    init(for client: Client) {
        let context = client.context
        let service = URLSessionTransferService(
            context,
            provider: BackgroundSessions.provider(context.session, connectionsPerHost: client.limits?.perHost))
        self.init(transfers: service, wakes: nil)
    }

    /// One session may be used by one process only, and an app and its extensions are several.
    static var sessionIdentifier: String { bundle + ".BackgroundWork" }
    static var standaloneSessionIdentifier: String { bundle + ".BackgroundWork.standalone" }

    static var launches: LaunchServices? {
        #if BACKGROUNDWORK_HAS_TASK_SCHEDULER
        LaunchServices(scheduler: SystemLaunchScheduler(), dispatch: .shared)
        #else
        nil
        #endif
    }
    static var continuedTasks: (any ContinuedTaskScheduler)? {
        #if BACKGROUNDWORK_HAS_CONTINUED_TASKS
        if #available(iOS 26, *) { SystemContinuedTasks() } else { nil }
        #elseif BACKGROUNDWORK_HAS_ACTIVITY_SCHEDULER
        UserActivities()
        #else
        nil
        #endif
    }
    static var activities: (any ActivityScheduler)? {
        #if BACKGROUNDWORK_HAS_ACTIVITY_SCHEDULER
        SystemActivityScheduler()
        #else
        nil
        #endif
    }
    static var backgroundTaskIdentifier: String { bundle + ".BackgroundWork" }

    /// The container of this program: an app's and its extensions' differ.
    static var baseFolders: [String: URL] { [bundle: URL(filePath: NSHomeDirectory())] }

    static var expiringActivities: (any ExpiringActivities)? {
        #if BACKGROUNDWORK_HAS_SUSPENSION
        ProcessActivities()
        #else
        nil
        #endif
    }

    /// Those of app groups (https://developer.apple.com/documentation/xcode/sigkill).
    static func endsProcesses(forLocksIn directory: String) -> Bool {
        directory.contains("/Containers/Shared/AppGroup/")
    }

    /// A command-line tool may have none.
    private static var bundle: String { Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName }

    /// Why only the limit for each host may be set.
    static var onlyLimitsHosts: String? {
        "the system decides how many transfers run and how fast; only transferLimits.perHost is known to it"
    }
}
