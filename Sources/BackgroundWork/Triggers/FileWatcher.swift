final class FileWatcher: Sendable {
    init(changed: @escaping @Sendable (String) -> Void, problem: @escaping @Sendable (String) -> Void) throws {}
    func watch(_ paths: Set<String>) async {}
    func stop() {}
}
