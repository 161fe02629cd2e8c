/// doc: swiftui/app
@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene
    /// doc: swiftui/app/body-swift.property
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
    /// doc: swiftui/app/init()
    @MainActor @preconcurrency init()
}

extension App {
    /// doc: swiftui/app/main(); it only asks for the scenes
    @MainActor @preconcurrency public static func main() { _ = Self().body }
}

/// doc: swiftui/scene
@MainActor @preconcurrency public protocol Scene {
    associatedtype Body: Scene
    /// doc: swiftui/scene/body-swift.property
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: Scene, View {
    /// doc: swift/never
    public var body: Never { return preconditionFailure("there is no value of this type") }
}

extension Scene where Body == Never {
    /// None, as on Apple's platforms.
    public var body: Never { return preconditionFailure("a scene of the system has no body") }
}

/// doc: swiftui/scenebuilder
@resultBuilder public struct SceneBuilder {
    /// doc: swiftui/scenebuilder/buildblock(_:)
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

/// doc: swiftui/windowgroup
public nonisolated struct WindowGroup<Content: View>: Scene {
    let content: Content

    /// doc: swiftui/windowgroup/init(content:); iOS 27 has init(makeContent:) in its place
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
}
