/// How a finished request ended.
public enum WorkOutcome: String, Sendable, Hashable, Codable, CaseIterable {
    /// The worker, or the transfer it handed off, succeeded.
    case succeeded
    /// It failed for good; the message says why.
    case failed
    /// It was cancelled, replaced, or depended on something that was.
    case cancelled
    /// It was not run because its time had passed.
    case skipped
}
