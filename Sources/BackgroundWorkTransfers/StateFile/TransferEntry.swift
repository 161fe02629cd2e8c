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
    var unknown: [String: JSONValue] = [:]

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

    /// Reads an entry; `nil` if one of the five fields is missing or of another type.
    init?(_ json: JSONValue) {
        guard var members = json.members,
            let session = members.removeValue(forKey: Field.sessionIdentifier)?.string,
            let task = members.removeValue(forKey: Field.taskIdentifier)?.int64,
            let savePath = members.removeValue(forKey: Field.savePath)?.string,
            let workerName = members.removeValue(forKey: Field.workerName)?.string,
            let createdAt = members.removeValue(forKey: Field.createdAtMs)?.int64
        else { return nil }
        self.init(
            sessionIdentifier: session, taskIdentifier: task, savePath: savePath, workerName: workerName,
            createdAt: WallTime(milliseconds: createdAt), reference: nil)
        if let key = members[Field.transferKey]?.string.flatMap(TransferKey.init),
            let store = members[Field.workStore]?.string
        {
            reference = TransferReference(store: store, key: key)
            members[Field.transferKey] = nil
            members[Field.workStore] = nil
        }
        unknown = members
    }

    var json: JSONValue {
        var members = unknown
        members[Field.sessionIdentifier] = .string(sessionIdentifier)
        members[Field.taskIdentifier] = .integer(taskIdentifier)
        members[Field.savePath] = .string(savePath)
        members[Field.workerName] = .string(workerName)
        members[Field.createdAtMs] = .integer(createdAt.milliseconds)
        if let reference {
            members[Field.transferKey] = .string(reference.key.description)
            members[Field.workStore] = .string(reference.store)
        }
        return .object(members)
    }

    private enum Field {
        static let sessionIdentifier = "sessionIdentifier"
        static let taskIdentifier = "taskIdentifier"
        static let savePath = "savePath"
        static let workerName = "workerName"
        static let createdAtMs = "createdAtMs"
        static let transferKey = "transferKey"
        static let workStore = "workStore"
    }
}
