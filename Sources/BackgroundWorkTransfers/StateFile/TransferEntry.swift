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

extension TransferEntry {
    /// Reads an entry; `nil` if one of the five fields is missing or of another type.
    init?(json: UnsafeBufferPointer<UInt8>) {
        guard let fields = EntryFields(json), let session = fields.sessionIdentifier, let task = fields.taskIdentifier,
            let savePath = fields.savePath, let workerName = fields.workerName, let createdAt = fields.createdAtMs
        else { return nil }
        self.init(
            sessionIdentifier: session, taskIdentifier: task, savePath: savePath, workerName: workerName,
            createdAt: WallTime(milliseconds: createdAt), reference: nil)
        unknown = fields.unknown
        if let key = fields.transferKey, let store = fields.workStore {
            reference = TransferReference(store: store, key: key)
        } else {
            unknown += fields.unusedReference
        }
    }

    /// The entry as JSON, its fields in order, so that equal entries are equal bytes.
    var json: [UInt8] {
        guard unknown.isEmpty else { return jsonWithUnknown }
        var writer = JSONWriter(capacity: 512)
        writer.open()
        writer.member("createdAtMs", createdAt.milliseconds)
        writer.member("savePath", savePath)
        writer.member("sessionIdentifier", sessionIdentifier)
        writer.member("taskIdentifier", taskIdentifier)
        if let reference {
            writer.member("transferKey", reference.key.description)
            writer.member("workStore", reference.store)
        }
        writer.member("workerName", workerName)
        writer.close()
        return writer.bytes
    }

    private var jsonWithUnknown: [UInt8] {
        var fields = [
            RawField("createdAtMs", integer: createdAt.milliseconds),
            RawField("savePath", text: savePath),
            RawField("sessionIdentifier", text: sessionIdentifier),
            RawField("taskIdentifier", integer: taskIdentifier),
        ]
        if let reference {
            fields.append(RawField("transferKey", text: reference.key.description))
            fields.append(RawField("workStore", text: reference.store))
        }
        fields.append(RawField("workerName", text: workerName))
        let known = Set(fields.map(\.name))
        fields += unknown.filter { !known.contains($0.name) }
        fields.sort { $0.name.lexicographicallyPrecedes($1.name) }
        var writer = JSONWriter(capacity: fields.reduce(2) { $0 + $1.name.count + $1.value.count + 4 })
        writer.open()
        for field in fields { _ = writer.member(field.name, field.value) }
        writer.close()
        return writer.bytes
    }
}
