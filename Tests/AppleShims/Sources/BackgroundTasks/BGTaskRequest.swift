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
#endif
