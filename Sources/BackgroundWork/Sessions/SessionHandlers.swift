/// The completion handlers that are waiting, by number. They stay on the main actor, since they need not be sendable.
@MainActor
final class SessionHandlers {
    private var handlers: [Int: () -> Void] = [:]

    nonisolated init() {}

    func keep(_ handler: @escaping () -> Void, _ number: Int) { handlers[number] = handler }

    /// Each is called at most once.
    func call(_ numbers: [Int]) {
        for number in numbers { handlers.removeValue(forKey: number)?() }
    }
}
