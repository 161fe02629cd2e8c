/// How far a group of transfers is.
public struct TransferGroupProgress: Sendable, Hashable {
    /// The group's label.
    public var group: String
    /// How many members there are, whether finished or not.
    public var files = 0
    /// How many have succeeded.
    public var succeeded = 0
    /// How many have failed for good.
    public var failed = 0
    /// How many were cancelled, or skipped because their time had passed.
    public var cancelled = 0
    /// The bytes and the speed of the members, without those that have failed or were cancelled.
    public var totals = TransferTotals()

    /// Whether there are members, and all have finished.
    public var isFinished: Bool { files > 0 && succeeded + failed + cancelled == files }
}
