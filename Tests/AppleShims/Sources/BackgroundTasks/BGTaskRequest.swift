// Not on macOS.
#if !APPLE_SHAPE_MACOS
public import Foundation

/// doc: backgroundtasks/bgtaskrequest
public class BGTaskRequest {
    /// doc: backgroundtasks/bgtaskrequest/identifier
    public let identifier: String
    /// doc: backgroundtasks/bgtaskrequest/earliestbegindate
    public var earliestBeginDate: Date?

    fileprivate init(name: String) { identifier = name }
}

/// doc: backgroundtasks/bgapprefreshtaskrequest
public class BGAppRefreshTaskRequest: BGTaskRequest {
    /// doc: the class, init(identifier:)
    public init(identifier: String) { super.init(name: identifier) }
}

/// doc: backgroundtasks/bgprocessingtaskrequest
public class BGProcessingTaskRequest: BGTaskRequest {
    /// doc: backgroundtasks/bgprocessingtaskrequest/requiresnetworkconnectivity
    public var requiresNetworkConnectivity = false
    /// doc: backgroundtasks/bgprocessingtaskrequest/requiresexternalpower
    public var requiresExternalPower = false

    /// doc: the class, init(identifier:)
    public init(identifier: String) { super.init(name: identifier) }
}

/// doc: backgroundtasks/bgcontinuedprocessingtaskrequest; iOS 26 only
public class BGContinuedProcessingTaskRequest: BGTaskRequest {
    /// doc: backgroundtasks/bgcontinuedprocessingtaskrequest/submissionstrategy; its values: macios backgroundtasks.cs
    public enum SubmissionStrategy: Int, Sendable {
        case fail = 0
        case queue = 1
    }

    /// doc: backgroundtasks/bgcontinuedprocessingtaskrequest/title
    public var title: String
    /// doc: backgroundtasks/bgcontinuedprocessingtaskrequest/subtitle
    public var subtitle: String
    /// doc: backgroundtasks/bgcontinuedprocessingtaskrequest/strategy
    public var strategy = SubmissionStrategy.queue

    /// doc: backgroundtasks/bgcontinuedprocessingtaskrequest/init(identifier:title:subtitle:)
    public init(identifier: String, title: String, subtitle: String) {
        self.title = title
        self.subtitle = subtitle
        super.init(name: identifier)
    }
}
#endif
