import Synchronization

/// Tasks that go on until the scheduler is shut down, or is gone.
final class TaskBag: Sendable {
    private let tasks = Mutex<[Task<Void, Never>]>([])

    func add(_ task: Task<Void, Never>) { tasks.withLock { $0.append(task) } }

    func cancelAll() {
        for task in tasks.withLock({ $0 }) { task.cancel() }
    }

    deinit { cancelAll() }
}
