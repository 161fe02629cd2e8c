// A Mac that tests the model builds the package for macOS, where the app has no delegate of UIKit.
#if canImport(UIKit)
import DownloadsModel
import SwiftUI

/// The app. A target with an entry point of its own calls `DownloadsApp.main()`.
public struct DownloadsApp: App {
    @UIApplicationDelegateAdaptor private var delegate: AppDelegate

    /// The system calls it, on the main actor.
    public init() {}

    /// One window, with the list.
    public var body: some Scene {
        WindowGroup {
            switch delegate.store {
            case .success(let store): DownloadList(store: store)
            case .failure(let error): Text("The downloads cannot be opened: \(error)" as String)
            }
        }
    }
}
#endif
