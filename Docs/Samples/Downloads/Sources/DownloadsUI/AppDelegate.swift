// A Mac that tests the model builds the package for macOS, where the app has no delegate of UIKit.
#if canImport(UIKit)
import BackgroundWork
import DownloadsModel
import Foundation
import UIKit

/// What has to be done while the app launches, in the foreground or in the background.
public final class AppDelegate: NSObject, UIApplicationDelegate {
    /// Created while the app launches: it subscribes to the events then.
    private(set) lazy var store = Result {
        let support = try Self.folder(.applicationSupportDirectory)
        var configuration = WorkScheduler.Configuration(directory: support.appending(path: "Downloads"))
        configuration.retainedEventAge = .seconds(7 * 86_400)  // ended downloads are listed for a week
        return try DownloadStore(configuration: configuration, folder: Self.folder(.documentDirectory))
    }

    private static func folder(_ kind: FileManager.SearchPathDirectory) throws -> URL {
        try FileManager.default.url(for: kind, in: .userDomainMask, appropriateFor: nil, create: true)
    }

    /// Before it returns, handlers are registered and events subscribed to.
    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        WorkScheduler.registerBackgroundTasks()
        if case .success(let store) = store {
            Task { await store.start() }
        }
        return true
    }

    /// The system has launched the app because its transfers have ended.
    public func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    ) {
        WorkScheduler.handleEvents(forBackgroundURLSession: identifier, completionHandler: completionHandler)
    }
}
#endif
