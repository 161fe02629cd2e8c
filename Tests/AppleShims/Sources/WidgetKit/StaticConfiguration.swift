public import SwiftUI

/// doc: widgetkit/staticconfiguration
@MainActor @preconcurrency public struct StaticConfiguration<Content: View>: WidgetConfiguration {
    /// doc: widgetkit/staticconfiguration/init(kind:provider:content:)
    @MainActor @preconcurrency public init<Provider: TimelineProvider>(
        kind: String, provider: Provider, @ViewBuilder content: @escaping (Provider.Entry) -> Content
    ) {}
}

extension WidgetConfiguration {
    /// doc: swiftui/widgetconfiguration/onbackgroundurlsessionevents(matching:_:)-2e152; not on tvOS, and nobody calls
    /// the closure
    @MainActor @preconcurrency public func onBackgroundURLSessionEvents(
        matching matchingBlock: ((String) -> Bool)? = nil,
        _ urlSessionEvent: @escaping (String, @escaping () -> Void) -> Void
    ) -> some WidgetConfiguration { self }
}
