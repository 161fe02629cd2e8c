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
    /// Where the file will be, or the file that is sent.
    public let path: String
    /// Whether bytes go to the server.
    public let isUpload: Bool
    /// Which of the transfers that wait for a free slot starts first.
    public let priority: WorkPriority
    /// The label of the group that it is followed with.
    public let group: String?
    /// What it is doing.
    public let phase: TransferPhase
    /// The bytes of the file that have been transferred.
    public let bytes: Int64
    /// The file's length; `nil` while it is unknown.
    public let totalBytes: Int64?
    /// The recent speed; `nil` while nothing is transferred, and while the progress has no subscriber.
    public let bytesPerSecond: Int64?
    /// The worker's name as requested; `nil` if the work item no longer exists.
    public let workerClassName: String?
    /// The chain that the work belongs to, if any.
    public let chainID: String?
    /// The state of the work item; `nil` if it no longer exists.
    public let workState: WorkState?
    /// Whether the work waits for this transfer. One that is not awaited remains of work that was cancelled, replaced
    /// or retried, and is about to be cancelled.
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
