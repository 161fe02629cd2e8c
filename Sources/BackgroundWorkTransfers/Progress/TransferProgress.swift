/// How far a transfer is, as the daemon tells it: at most ten times a second, and at once after connecting.
public struct TransferProgress: Sendable, Hashable, Codable {
    /// The work item that waits for it.
    public var workID: String
    /// The session that it belongs to.
    public var sessionIdentifier: String
    /// Its number in that session.
    public var taskIdentifier: Int64
    /// The label under which it is followed with others.
    public var group: String?
    /// Whether bytes go to the server.
    public var isUpload: Bool
    /// What it is doing.
    public var phase: TransferPhase
    /// The bytes of the file that have been moved.
    public var bytes: Int64
    /// The file's length; `nil` while it is unknown.
    public var totalBytes: Int64?
    /// The recent speed; `nil` while nothing moves.
    public var bytesPerSecond: Int64?

    package init(
        workID: String, sessionIdentifier: String, taskIdentifier: Int64, group: String? = nil, isUpload: Bool = false,
        phase: TransferPhase, bytes: Int64, totalBytes: Int64?, bytesPerSecond: Int64?
    ) {
        self.workID = workID
        self.sessionIdentifier = sessionIdentifier
        self.taskIdentifier = taskIdentifier
        self.group = group
        self.isUpload = isUpload
        self.phase = phase
        self.bytes = bytes
        self.totalBytes = totalBytes
        self.bytesPerSecond = bytesPerSecond
    }

    /// As a list of what the daemon knows has it.
    package init(_ snapshot: TransferSnapshot) {
        self.init(
            workID: snapshot.reference.key.workID, sessionIdentifier: snapshot.sessionIdentifier,
            taskIdentifier: snapshot.taskIdentifier, group: snapshot.group, isUpload: snapshot.isUpload,
            phase: snapshot.phase, bytes: snapshot.receivedBytes, totalBytes: snapshot.totalBytes,
            bytesPerSecond: snapshot.bytesPerSecond)
    }

    /// From 0 to 1; `nil` while the length is unknown.
    public var fraction: Double? { TransferPace.fraction(bytes, of: totalBytes) }

    /// At the recent speed; `nil` while that or the length is unknown.
    public var timeLeft: Duration? {
        TransferPace.timeLeft(bytes, of: totalBytes, bytesPerSecond: bytesPerSecond)
    }
}
