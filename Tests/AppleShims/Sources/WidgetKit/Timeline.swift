public import Foundation

/// doc: widgetkit/timelineentry
public protocol TimelineEntry {
    /// doc: widgetkit/timelineentry/date
    var date: Date { get }
}

/// doc: widgetkit/timelinereloadpolicy
public struct TimelineReloadPolicy: Equatable, Sendable {
    /// doc: widgetkit/timelinereloadpolicy/never
    public static let never = TimelineReloadPolicy(name: "never")
    let name: String
}

/// doc: widgetkit/timeline
public struct Timeline<EntryType: TimelineEntry> {
    /// doc: widgetkit/timeline/entries
    public let entries: [EntryType]
    /// doc: widgetkit/timeline/policy
    public let policy: TimelineReloadPolicy
    /// doc: widgetkit/timeline/init(entries:policy:)
    public init(entries: [EntryType], policy: TimelineReloadPolicy) {
        self.entries = entries
        self.policy = policy
    }
}

/// doc: widgetkit/timelineprovidercontext
public struct TimelineProviderContext {}

/// doc: widgetkit/timelineprovider
public protocol TimelineProvider {
    associatedtype Entry: TimelineEntry
    /// doc: widgetkit/timelineprovider/context
    typealias Context = TimelineProviderContext
    /// doc: widgetkit/timelineprovider/placeholder(in:)
    func placeholder(in context: Context) -> Entry
    /// doc: widgetkit/timelineprovider/getsnapshot(in:completion:)
    @preconcurrency func getSnapshot(in context: Context, completion: @escaping @Sendable (Entry) -> Void)
    /// doc: widgetkit/timelineprovider/gettimeline(in:completion:)
    @preconcurrency func getTimeline(in context: Context, completion: @escaping @Sendable (Timeline<Entry>) -> Void)
}
