import BackgroundWorkModel

/// Names one claim of an item: the same item may be claimed again by the same owner.
package struct RunStamp: Sendable, Hashable {
    package var sequence: Int64
    package var claimedAt: WallTime

    package init(sequence: Int64, claimedAt: WallTime) {
        self.sequence = sequence
        self.claimedAt = claimedAt
    }

    package init(_ record: WorkRecord) {
        self.init(sequence: record.sequence, claimedAt: record.startedAt ?? WallTime(milliseconds: 0))
    }
}
