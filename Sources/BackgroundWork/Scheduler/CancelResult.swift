/// What a cancellation did.
public enum CancelResult: Sendable, Hashable {
    /// So many items were cancelled; each has its event.
    case cancelled(items: Int)
    /// Its file is being moved into place just now; it will finish as succeeded.
    case tooLate
    /// It had finished before.
    case alreadyFinished
    /// There is no such work.
    case unknown
}
