import BackgroundWorkModel
import BackgroundWorkTransfers

/// An active transfer as the journal holds it.
struct TransferRecord: Sendable, Hashable {
    var task: Int64
    var specification: TransferSpecification
    /// What the bytes on disk belong to; `nil` until the first response was recorded.
    var entity: RecordedEntity?
    /// The bytes that were synced to disk when last recorded.
    var checkpoint: Int64
    /// The run of the machine in which the staging file was last written.
    var boot: String?
    /// The parts of the file as they were synced to disk, when it has several.
    var parts: SegmentTable?
    /// The URL of a resumable upload, once the server has made one.
    var uploadURL: String?
    /// When the host had it started.
    var startedAt: WallTime
    var isPaused = false
    var failures = 0
    var nextAttempt: WallTime?
    var mirror = 0
}
