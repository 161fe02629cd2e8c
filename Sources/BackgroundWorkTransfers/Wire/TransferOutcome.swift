import BackgroundWorkModel

/// How a transfer ended, as the daemon recorded it durably before telling anyone.
package struct TransferOutcome: Sendable, Hashable, Codable {
    package enum Result: Sendable, Hashable, Codable {
        /// The whole file lies at `stagingPath`, fsynced. It may be renamed away; only the agent deletes it.
        case delivered(stagingPath: String, bytes: Int64, statusCode: Int, finalURL: String)
        /// The server has taken the whole file.
        case uploaded(bytes: Int64, statusCode: Int, finalURL: String)
        case failed(TransferFailure)
    }

    package var reference: TransferReference
    package var sessionIdentifier: String
    package var taskIdentifier: Int64
    package var savePath: String
    package var workerName: String
    package var result: Result
    /// Absent in outcomes that an earlier version recorded.
    package var details: TransferDetails?

    package init(
        reference: TransferReference, sessionIdentifier: String, taskIdentifier: Int64, savePath: String,
        workerName: String, result: Result, details: TransferDetails? = nil
    ) {
        self.reference = reference
        self.sessionIdentifier = sessionIdentifier
        self.taskIdentifier = taskIdentifier
        self.savePath = savePath
        self.workerName = workerName
        self.result = result
        self.details = details
    }
}
