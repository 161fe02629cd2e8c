/// What a retry by hand did.
public enum RetryResult: Sendable, Hashable {
    /// So many items run again, or wait again for those that do.
    case retried(items: Int)
    /// Nothing of it has failed, was cancelled or skipped; nothing changed.
    case nothingFailed
    /// There is no such work, or it has been forgotten since.
    case unknown
}
