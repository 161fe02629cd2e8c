// Not on macOS.
#if !APPLE_SHAPE_MACOS
/// doc: backgroundtasks/bgtask
public class BGTask {
    /// doc: backgroundtasks/bgtask/identifier
    public let identifier: String
    /// doc: backgroundtasks/bgtask/expirationhandler; only a test calls it
    public var expirationHandler: (() -> Void)?
    private let completed: @Sendable (Bool) -> Void

    init(identifier: String, completed: @escaping @Sendable (Bool) -> Void) {
        self.identifier = identifier
        self.completed = completed
    }

    /// doc: backgroundtasks/bgtask/settaskcompleted(success:)
    public func setTaskCompleted(success: Bool) { completed(success) }
}

/// doc: backgroundtasks/bgapprefreshtask
public class BGAppRefreshTask: BGTask {}

/// doc: backgroundtasks/bgprocessingtask
public class BGProcessingTask: BGTask {}
#endif
