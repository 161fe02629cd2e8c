/// doc: swiftui/backgroundtask
public struct BackgroundTask<Request, Response> {
    let identifier: String
}

extension BackgroundTask where Request == Void, Response == Void {
    /// doc: swiftui/backgroundtask/urlsession(_:)
    public static func urlSession(_ identifier: String) -> BackgroundTask<Void, Void> {
        BackgroundTask(identifier: identifier)
    }
}

extension Scene {
    /// doc: swiftui/scene/backgroundtask(_:action:); nobody calls the action
    public nonisolated func backgroundTask<D: Sendable, R: Sendable>(
        _ task: BackgroundTask<D, R>, action: @escaping @Sendable (D) async -> R
    ) -> some Scene { self }
}
