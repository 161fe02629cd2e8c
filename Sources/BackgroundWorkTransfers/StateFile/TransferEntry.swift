import BackgroundWorkModel

/// One transfer as `bg_url_session_state.json` remembers it.
///
/// The first five fields are the file's contract with its Kotlin ancestor; the others are optional, and fields that
/// this version does not know are kept as they are.
package struct TransferEntry: Sendable, Hashable {
    package var sessionIdentifier: String
    package var taskIdentifier: Int64
    package var savePath: String
    package var workerName: String
    package var createdAt: WallTime
    /// The work item and the store it is in; absent in entries of the ancestor.
    package var reference: TransferReference?
    /// What else was found in it, in that order.
    var unknown: [RawField] = []

    package init(
        sessionIdentifier: String, taskIdentifier: Int64, savePath: String, workerName: String, createdAt: WallTime,
        reference: TransferReference?
    ) {
        self.sessionIdentifier = sessionIdentifier
        self.taskIdentifier = taskIdentifier
        self.savePath = savePath
        self.workerName = workerName
        self.createdAt = createdAt
        self.reference = reference
    }

    /// The entry's name in the file: `<sessionIdentifier>:<taskIdentifier>`.
    package var name: String { Self.name(session: sessionIdentifier, task: taskIdentifier) }

    package static func name(session: String, task: Int64) -> String { "\(session):\(task)" }
}
