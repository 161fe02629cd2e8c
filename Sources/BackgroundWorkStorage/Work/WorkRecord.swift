import BackgroundWorkFiles
import BackgroundWorkModel

/// A work item as the store keeps it.
package struct WorkRecord: Sendable, Hashable {
    package var sequence: Int64
    package var id: String
    package var chainID: String?
    /// The number of the chain's own row.
    var chainSequence: Int64?
    package var stepIndex: Int
    package var position: Int
    package var workerName: String
    package var inputJSON: String?
    package var retryPolicy: RetryPolicy
    package var status: WorkStatus
    package var priority: WorkPriority
    package var due: WallTime
    package var owner: Int64?
    package var message: String?
    package var outputJSON: String?
    /// Where the file goes and what it is, from `finishing` on.
    package var move: FileMove?
    /// When a hand-off's outcome must have come.
    package var handOffExpires: WallTime?
    package var enqueuedAt: WallTime
    package var finishedAt: WallTime?
    package var laneNumber: Int64
    package var flags: WorkFlags
    package var options: WorkOptions
    /// `nil` for work that runs once, after a delay.
    package var trigger: TaskTrigger?
    /// The time that the current occurrence stands for.
    package var planned: WallTime?
    package var occurrence: Int
    /// When the newest attempt was claimed.
    package var startedAt: WallTime?
    /// When what it waits for brought it up while it ran: the next occurrence is due then.
    package var triggeredAt: WallTime?
    package var checkpoint: String?
    package var progress: WorkerProgress?
    /// Whether the store has a row of what it carries from before.
    var isCarried: Bool

    package var isIdempotent: Bool { !flags.contains(.runsOnce) }

    package var transferKey: TransferKey { TransferKey(workID: id, generation: status.generation) }

    package var runKey: RunKey { RunKey(sequence: sequence, generation: status.generation) }
}
