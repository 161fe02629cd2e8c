import BackgroundWorkModel
import BackgroundWorkTransfers

/// An active transfer as the journal holds it.
struct TransferRecord: Sendable, Hashable {
    var task: Int64
    var specification: TransferSpecification
    /// The version that the bytes on disk belong to; `nil` until the first response was recorded.
    var entity: RecordedEntity?
    /// The bytes that were synced to disk when last recorded.
    var checkpoint: Int64
    /// The run of the machine in which the staging file was last written.
    var boot: String?
    /// The parts of the file as they were synced to disk, when it has several.
    var parts: SegmentTable?
    /// The URL of a resumable upload, once the server has made one.
    var uploadURL: String?
    /// When the host started it.
    var startedAt: WallTime
    var isPaused = false
    var failures = 0
    var nextAttempt: WallTime?
    var mirror = 0
    /// Of the URLs before that mirror.
    var mirrorFailures = MirrorFailures()
}

/// A transfer's outcome in the journal. Its JSON is created once and sent to clients.
struct RecordedOutcome: Sendable, Hashable {
    var task: Int64
    /// The work store whose transfer it was.
    var store: String
    var json: String

    init(_ outcome: TransferOutcome) throws {
        task = outcome.taskIdentifier
        store = outcome.reference.store
        json = try FastJSON.text(of: outcome)
    }
}

/// The record of a failed attempt.
struct AttemptRecord: Sendable, Hashable {
    var failures: Int
    var nextAttempt: WallTime?
    var mirror: Int
    var mirrorFailures = MirrorFailures()
}

/// What the journal held when the agent started.
struct StartingState: Sendable {
    var epoch: String
    var active: [TransferRecord]
    var outcomes: [RecordedOutcome]
    var launchCommand: LaunchCommand?
    var wakes: [String: WakeList]
    var limits: TransferLimits?
}
