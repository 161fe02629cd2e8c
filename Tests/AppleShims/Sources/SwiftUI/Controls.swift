/// doc: swiftui/localizedstringkey
public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
    let key: String
    /// doc: swiftui/localizedstringkey/init(stringliteral:)
    public init(stringLiteral value: String) { key = value }
}

/// doc: swiftui/text
public nonisolated struct Text: View {
    let string: String

    /// doc: swiftui/text/init(_:tablename:bundle:comment:), with the key only
    public init(_ key: LocalizedStringKey) { string = key.key }

    /// doc: swiftui/text/init(_:)-9d1g4
    @_disfavoredOverload public init<S: StringProtocol>(_ content: S) { string = String(content) }
}

/// doc: swiftui/button
public nonisolated struct Button<Label: View>: View {
    let label: Label
    let action: @MainActor () -> Void
}

extension Button where Label == Text {
    /// doc: swiftui/button/init(_:action:)-1asy
    @preconcurrency public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {
        label = Text(titleKey)
        self.action = action
    }
}

/// doc: swiftui/textfield
public nonisolated struct TextField<Label: View>: View {
    let label: Label
    let text: Binding<String>
}

extension TextField where Label == Text {
    /// doc: swiftui/textfield/init(_:text:)
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {
        label = Text(titleKey)
        self.text = text
    }
}

/// doc: swiftui/progressview
public nonisolated struct ProgressView<Label: View, CurrentValueLabel: View>: View {
    /// doc: swiftui/progressview/init(value:total:)
    public init<V: BinaryFloatingPoint>(value: V?, total: V = 1.0)
    where Label == EmptyView, CurrentValueLabel == EmptyView {}
}
