import BackgroundWorkModel

/// A transfer that the daemon knows.
package struct TransferSnapshot: Sendable, Hashable, Codable {
    package enum State: String, Sendable, Hashable, Codable {
        /// Recorded, not started.
        case reserved
        /// Running, or waiting to run.
        case active
        /// Ended, with an outcome that is not acknowledged yet.
        case finished
    }

    package var reference: TransferReference
    package var sessionIdentifier: String
    package var taskIdentifier: Int64
    package var state: State
    package var receivedBytes: Int64
    /// As the server promised; `nil` while unknown.
    package var totalBytes: Int64?
    /// Without user, password and query.
    package var url: String
    package var savePath: String
    package var isUpload: Bool
    package var priority: WorkPriority
    package var group: String?
    /// Of a reserved one `.waiting`; of a finished one its end.
    package var phase: TransferPhase
    package var bytesPerSecond: Int64?

    package init(
        reference: TransferReference, sessionIdentifier: String, taskIdentifier: Int64, state: State,
        receivedBytes: Int64, totalBytes: Int64?, url: String = "", savePath: String = "", isUpload: Bool = false,
        priority: WorkPriority = .normal, group: String? = nil, phase: TransferPhase = .waiting(.slot),
        bytesPerSecond: Int64? = nil
    ) {
        self.reference = reference
        self.sessionIdentifier = sessionIdentifier
        self.taskIdentifier = taskIdentifier
        self.state = state
        self.receivedBytes = receivedBytes
        self.totalBytes = totalBytes
        self.url = url
        self.savePath = savePath
        self.isUpload = isUpload
        self.priority = priority
        self.group = group
        self.phase = phase
        self.bytesPerSecond = bytesPerSecond
    }
}
