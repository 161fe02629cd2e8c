// Not on macOS.
#if !APPLE_SHAPE_MACOS
public import Foundation

/// doc: uikit/uiapplicationdelegate; its methods are optional there, here they have implementations
@MainActor public protocol UIApplicationDelegate: NSObjectProtocol {
    /// doc: uikit/uiapplicationdelegate/application(_:didfinishlaunchingwithoptions:)
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool

    /// doc: uikit/uiapplicationdelegate/application(_:handleeventsforbackgroundurlsession:completionhandler:)
    func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void)
}

extension UIApplicationDelegate {
    /// doc: uikit/uiapplicationdelegate/main(); it does nothing
    public static func main() {}

    /// For delegates without it.
    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool { true }

    /// For delegates without it.
    public func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    ) {}
}
#endif
