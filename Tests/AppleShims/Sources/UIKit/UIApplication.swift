// Not on macOS.
#if !APPLE_SHAPE_MACOS
/// doc: uikit/uiapplication; nothing runs, a test calls the delegate
@MainActor open class UIApplication: UIResponder {
    /// doc: uikit/uiapplication/launchoptionskey
    public struct LaunchOptionsKey: Hashable, RawRepresentable, Sendable {
        /// doc: uikit/uiapplication/launchoptionskey
        public var rawValue: String
        /// doc: uikit/uiapplication/launchoptionskey/init(rawvalue:)
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// doc: uikit/uiapplication/shared
    public class var shared: UIApplication { application }

    private static let application = UIApplication()
}
#endif
