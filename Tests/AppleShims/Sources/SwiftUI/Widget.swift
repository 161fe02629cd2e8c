/// doc: swiftui/widget
@MainActor @preconcurrency public protocol Widget {
    associatedtype Body: WidgetConfiguration
    /// doc: swiftui/widget/body-swift.property
    @MainActor @preconcurrency var body: Body { get }
    /// doc: swiftui/widget/init()
    @MainActor @preconcurrency init()
}

extension Widget {
    /// doc: swiftui/widget/main(); it only asks for the configuration
    @MainActor @preconcurrency public static func main() { _ = Self().body }
}

/// doc: swiftui/widgetconfiguration
@MainActor @preconcurrency public protocol WidgetConfiguration {
    associatedtype Body: WidgetConfiguration
    /// doc: swiftui/widgetconfiguration/body-swift.property
    @MainActor @preconcurrency var body: Body { get }
}

extension Never: WidgetConfiguration {}

extension WidgetConfiguration where Body == Never {
    /// None, as on Apple's platforms.
    public var body: Never { preconditionFailure("a configuration of the system has no body") }
}
