/// doc: swiftui/view
@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    /// doc: swiftui/view/body-8kl5o
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension View where Body == Never {
    /// None, as on Apple's platforms.
    public var body: Never { return preconditionFailure("a view of the system has no body") }
}

/// doc: swiftui/viewbuilder; iOS 27 calls it ContentBuilder
@resultBuilder public struct ViewBuilder {
    /// doc: swiftui/viewbuilder/buildexpression(_:)
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    /// doc: swiftui/viewbuilder/buildblock()
    public static func buildBlock() -> EmptyView { EmptyView() }
    /// doc: swiftui/viewbuilder/buildblock(_:)
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    /// doc: swiftui/viewbuilder/buildblock(_:)
    @_disfavoredOverload
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<
        (repeat each Content)
    > {
        TupleView((repeat each content))
    }
    /// doc: swiftui/viewbuilder/buildif(_:)
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    /// doc: swiftui/viewbuilder/buildeither(first:); there it is a _ConditionalContent
    public static func buildEither<First: View, Second: View>(first: First) -> EitherView<First, Second> {
        .first(first)
    }
    /// doc: swiftui/viewbuilder/buildeither(second:)
    public static func buildEither<First: View, Second: View>(second: Second) -> EitherView<First, Second> {
        .second(second)
    }
}

/// doc: swiftui/emptyview
public nonisolated struct EmptyView: View {
    /// doc: swiftui/emptyview/init()
    public init() {}
}

/// doc: swiftui/tupleview
public nonisolated struct TupleView<T>: View {
    let value: T
    /// doc: swiftui/tupleview/init(_:)
    public init(_ value: T) { self.value = value }
}

/// In the place of _ConditionalContent.
public nonisolated enum EitherView<First: View, Second: View>: View {
    case first(First)
    case second(Second)
}

extension Optional: View where Wrapped: View {}
