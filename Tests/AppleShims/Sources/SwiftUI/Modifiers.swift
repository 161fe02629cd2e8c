/// doc: swiftui/primitivebuttonstyle
@MainActor @preconcurrency public protocol PrimitiveButtonStyle {}

/// doc: swiftui/borderlessbuttonstyle
public struct BorderlessButtonStyle: PrimitiveButtonStyle {
    /// doc: swiftui/borderlessbuttonstyle/init()
    public nonisolated init() {}
}

extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
    /// doc: swiftui/primitivebuttonstyle/borderless
    public static var borderless: BorderlessButtonStyle { BorderlessButtonStyle() }
}

/// doc: swiftui/horizontaledge
public enum HorizontalEdge: Int8, CaseIterable, Codable {
    case leading
    case trailing
}

extension View {
    /// doc: swiftui/view/buttonstyle(_:)
    public nonisolated func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View { self }

    /// doc: swiftui/view/disabled(_:)
    public nonisolated func disabled(_ disabled: Bool) -> some View { self }

    /// doc: swiftui/view/swipeactions(edge:allowsfullswipe:content:); not on tvOS
    public nonisolated func swipeActions<T: View>(
        edge: HorizontalEdge = .trailing, allowsFullSwipe: Bool = true, @ViewBuilder content: () -> T
    ) -> some View { self }
}
