// Not on macOS.
#if !APPLE_SHAPE_MACOS
public import Foundation

/// doc: backgroundtasks/bgtask
public class BGTask: NSObject {
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
    public func setTaskCompleted(success: Bool) {
        expirationHandler = nil
        completed(success)
    }
}

/// doc: backgroundtasks/bgapprefreshtask
public class BGAppRefreshTask: BGTask {}

/// doc: backgroundtasks/bgprocessingtask
public class BGProcessingTask: BGTask {}

/// doc: backgroundtasks/bgcontinuedprocessingtask; iOS 26 only
public class BGContinuedProcessingTask: BGTask, ProgressReporting {
    /// doc: foundation/progressreporting/progress
    public let progress = Progress(totalUnitCount: 0)
    /// doc: backgroundtasks/bgcontinuedprocessingtask/title
    public private(set) var title: String
    /// doc: backgroundtasks/bgcontinuedprocessingtask/subtitle
    public private(set) var subtitle: String

    init(identifier: String, title: String, subtitle: String, completed: @escaping @Sendable (Bool) -> Void) {
        self.title = title
        self.subtitle = subtitle
        super.init(identifier: identifier, completed: completed)
    }

    /// doc: backgroundtasks/bgcontinuedprocessingtask/updatetitle(_:subtitle:)
    public func updateTitle(_ title: String, subtitle: String) {
        self.title = title
        self.subtitle = subtitle
    }
}
#endif
