import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers

/// A transfer that the daemon knows, and the work it belongs to, at one moment.
public struct TransferInfo: Sendable, Hashable {
    /// The work item that it was handed off for.
    public let workID: String
    /// The session that it belongs to.
    public let sessionIdentifier: String
    /// Its number in that session.
    public let taskIdentifier: Int64
    /// Without user, password and query.
    public let url: String
    /// Where the file is to stand, or the file that is sent.
    public let path: String
    /// Whether bytes go to the server.
    public let isUpload: Bool
    /// Which of those that wait for a place begins first.
    public let priority: WorkPriority
    /// The label under which it is followed with others.
    public let group: String?
    /// What it is doing.
    public let phase: TransferPhase
    /// The bytes of the file that have been moved.
    public let bytes: Int64
    /// The file's length; `nil` while it is unknown.
    public let totalBytes: Int64?
    /// The recent speed; `nil` while nothing moves, and while nobody follows the progress.
    public let bytesPerSecond: Int64?
    /// The worker's name as requested; `nil` if the work item is gone.
    public let workerClassName: String?
    /// The chain that the work belongs to, if any.
    public let chainID: String?
    /// Where the work item stands; `nil` if it is gone.
    public let workState: WorkState?
    /// Whether the work waits for this transfer. One that is not awaited is left from work that was cancelled, replaced
    /// or tried again, and is about to be cancelled.
    public let isAwaited: Bool

    init(_ snapshot: TransferSnapshot, _ record: WorkRecord?, isOfThisStore: Bool) {
        workID = snapshot.reference.key.workID
        sessionIdentifier = snapshot.sessionIdentifier
        taskIdentifier = snapshot.taskIdentifier
        url = snapshot.url
        path = snapshot.savePath
        isUpload = snapshot.isUpload
        priority = snapshot.priority
        group = snapshot.group
        phase = snapshot.phase
        bytes = snapshot.receivedBytes
        totalBytes = snapshot.totalBytes
        bytesPerSecond = snapshot.bytesPerSecond
        workerClassName = record?.workerName
        chainID = record?.chainID
        workState = record?.status.state
        isAwaited =
            isOfThisStore && record?.status.generation == snapshot.reference.key.generation
            && record?.status.state.isFinished == false
    }

    /// From 0 to 1; `nil` while the length is unknown.
    public var fraction: Double? { TransferPace.fraction(bytes, of: totalBytes) }
}
