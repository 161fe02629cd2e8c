/// When a request becomes due.
public enum TaskTrigger: Sendable, Hashable {
    /// Once, `delay` after it was enqueued. The delay is counted on the wall clock from the moment of enqueueing, so it
    /// goes on while no process is there. A negative delay is refused with ``EnqueueError/invalidDelay(_:)``.
    case oneTime(delay: Duration = .zero)
}
