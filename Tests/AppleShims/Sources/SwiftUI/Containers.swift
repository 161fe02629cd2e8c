/// doc: swiftui/list
public nonisolated struct List<SelectionValue: Hashable, Content: View>: View {
    let content: Content
}

extension List where SelectionValue == Never {
    /// doc: swiftui/list/init(content:)
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

/// doc: swiftui/foreach
public nonisolated struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
    let data: Data
    let content: (Data.Element) -> Content
}

extension ForEach: View where Content: View {
    /// doc: swiftui/foreach/body
    public typealias Body = Never
}

extension ForEach where ID == Data.Element.ID, Content: View, Data.Element: Identifiable {
    /// doc: swiftui/foreach/init(_:content:)
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
        self.data = data
        self.content = content
    }
}

/// doc: swiftui/horizontalalignment
public struct HorizontalAlignment: Equatable, Sendable {
    /// doc: swiftui/horizontalalignment/leading
    public static let leading = HorizontalAlignment(name: "leading")
    /// doc: swiftui/horizontalalignment/center
    public static let center = HorizontalAlignment(name: "center")
    let name: String
}

/// doc: swiftui/verticalalignment
public struct VerticalAlignment: Equatable, Sendable {
    /// doc: swiftui/verticalalignment/center
    public static let center = VerticalAlignment(name: "center")
    let name: String
}

/// doc: swiftui/vstack
public nonisolated struct VStack<Content: View>: View {
    let content: Content

    /// doc: swiftui/vstack/init(alignment:spacing:content:), without the spacing
    public init(alignment: HorizontalAlignment = .center, @ViewBuilder content: () -> Content) {
        self.content = content()
    }
}

/// doc: swiftui/hstack
public nonisolated struct HStack<Content: View>: View {
    let content: Content

    /// doc: swiftui/hstack/init(alignment:spacing:content:), without the spacing
    public init(alignment: VerticalAlignment = .center, @ViewBuilder content: () -> Content) {
        self.content = content()
    }
}
