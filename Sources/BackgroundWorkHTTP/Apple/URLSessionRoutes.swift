import BackgroundWorkURLSession
import Synchronization

/// Which exchange a task of the session belongs to.
final class URLSessionRoutes: Sendable {
    private let exchanges = Mutex<[Int: URLSessionExchange]>([:])

    func add(_ exchange: URLSessionExchange, for task: URLSessionTask) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    func exchange(of task: URLSessionTask) -> URLSessionExchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }

    func take(_ task: URLSessionTask) -> URLSessionExchange? {
        exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    }
}
