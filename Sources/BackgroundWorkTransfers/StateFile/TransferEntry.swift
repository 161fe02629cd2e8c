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
        var unknown = unknown.sorted { $0.name.lexicographicallyPrecedes($1.name) }[...]
        return FastJSON.bytes(capacity: unknown.reduce(512) { $0 + $1.name.count + $1.value.count + 4 }) { json in
            func begin(_ name: StaticString) {
                unknown = json.members(unknown, before: name)
                json.begin(name)
            }
            json.open()
            begin("createdAtMs")
            json.integer(createdAt.milliseconds)
            begin("savePath")
            json.string(savePath)
            begin("sessionIdentifier")
            json.string(sessionIdentifier)
            begin("taskIdentifier")
            json.integer(taskIdentifier)
            if let reference {
                begin("transferKey")
                json.string(reference.key.description)
                begin("workStore")
                json.string(reference.store)
            }
            begin("workerName")
            json.string(workerName)
            for field in unknown { _ = json.member(field.name, field.value) }
            json.close()
        }
    }
}

extension JSONWriter {
    /// Writes those of the fields, which are in the order of their names, that come before a name. Returns the ones
    /// after it; a field of that name is left out.
    fileprivate mutating func members(_ fields: ArraySlice<RawField>, before name: StaticString) -> ArraySlice<RawField>
    {
        let name = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        var rest = fields
        while let field = rest.first, case let order = field.order(before: name), order <= 0 {
            if order < 0 { _ = member(field.name, field.value) }
            rest = rest.dropFirst()
        }
        return rest
    }
}
