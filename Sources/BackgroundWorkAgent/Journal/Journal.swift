import BackgroundWorkFiles
import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers

/// Every transfer the agent knows, in its own SQLite file. Not thread-safe: it lives on the storage queue.
///
/// The changes run inside the caller's transaction, so that several queued requests share one commit.
final class Journal {
    let connection: SQLiteConnection
    /// Changes when the journal was lost and a new one was created.
    let epoch: String
    /// A cache of the specifications of reserved transfers, by identifier: most transfers are resumed right after they
    /// are reserved. An identifier that is rolled back is overwritten when it is assigned again.
    private var reserved: [Int64: TransferSpecification] = [:]
    private static let mostReserved = 1024
    /// Whether secrets were deleted that the write-ahead log may still have.
    private(set) var hasRemovedSecrets = false

    init(path: String) throws {
        connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        try JournalSchema.migrator.migrate(connection)
        let problem = try connection.first("PRAGMA quick_check(1)") { $0.text(0) }
        guard problem == "ok" else {
            throw SQLiteError(code: 11, message: problem ?? "no answer", path: path, action: "quick_check")
        }
        // An earlier version may have taken an unusable highest identifier from a state file.
        try connection.run(
            """
            UPDATE sqlite_sequence SET seq = coalesce((SELECT max(task) FROM transfers WHERE task <= ?1), 0) \
            WHERE name = 'transfers' AND seq > ?1
            """,
            .int(TaskIdentifierRange.largest))
        try connection.run("INSERT OR IGNORE INTO meta VALUES('epoch', ?)", .text(UUID().uuidString))
        epoch = try connection.first("SELECT value FROM meta WHERE name = 'epoch'") { $0.text(0) } ?? ""
    }

    // MARK: Client requests

    /// New identifiers are above `minimum` from now on, if `minimum` is an identifier that can have been assigned.
    func raiseTaskIdentifiers(above minimum: Int64) throws {
        guard minimum <= TaskIdentifierRange.largest else { return }
        try connection.run(
            "UPDATE sqlite_sequence SET seq = ?1 WHERE name = 'transfers' AND seq < ?1", .int(minimum))
    }

    /// Stores the specification's JSON as it was received, so that an agent of a later version finds the fields that
    /// this one does not know.
    func reserve(_ document: SpecificationDocument, at now: WallTime) throws -> Reservation {
        let specification = document.specification
        let reference = specification.reference
        let known = try connection.first(
            "SELECT task, state, specification FROM transfers WHERE store = ? AND key = ?",
            .text(reference.store), .text(reference.key.description)
        ) { (task: $0.int(0), state: try state(of: $0, 1), specification: $0.text(2)) }
        guard let known else {
            try connection.run(
                """
                INSERT INTO transfers(store, key, session, specification, state, created_at)
                VALUES(?, ?, ?, ?, 'reserved', ?)
                """,
                .text(reference.store), .text(reference.key.description), .text(specification.sessionIdentifier),
                .text(try document.json), .int(now.milliseconds))
            let task = connection.lastInsertedRowID
            if reserved.count >= Self.mostReserved { reserved.removeAll(keepingCapacity: true) }
            reserved[task] = specification
            return .reserved(task: task)
        }
        // Compared as values: the stored text may have another order, or fields that this version does not know. That of
        // a finished transfer has no secrets.
        let stored = try? FastJSON.value(TransferSpecification.self, from: known.specification)
        let same = stored == specification || known.state == .finished && stored == specification.withoutSecrets
        if same { return .reserved(task: known.task) }
        guard known.state == .reserved else { return .conflict(state: known.state) }
        try connection.run(
            "UPDATE transfers SET session = ?, specification = ? WHERE task = ?",
            .text(specification.sessionIdentifier), .text(try document.json), .int(known.task))
        reserved[known.task] = nil
        return .reserved(task: known.task)
    }

    private func specification(of task: Int64) throws -> TransferSpecification {
        if let kept = reserved.removeValue(forKey: task) { return kept }
        let json = try connection.first("SELECT specification FROM transfers WHERE task = ?", .int(task)) { $0.text(0) }
        return try FastJSON.value(TransferSpecification.self, from: json ?? "")
    }

    func resume(_ reference: TransferReference, at now: WallTime, boot: String) throws -> Resumption {
        let known = try connection.first(
            "SELECT task, state, paused FROM transfers WHERE store = ? AND key = ?",
            .text(reference.store), .text(reference.key.description)
        ) { (task: $0.int(0), state: try state(of: $0, 1), isPaused: $0.int(2) != 0) }
        guard let known else { return .unknown }
        guard known.state == .reserved else { return .already }
        let specification = try specification(of: known.task)
        try connection.run(
            "UPDATE transfers SET state = 'active', boot = ?, started_at = ? WHERE task = ?", .text(boot),
            .int(now.milliseconds), .int(known.task))
        return .started(
            TransferRecord(
                task: known.task, specification: specification, entity: nil, checkpoint: 0, boot: boot, startedAt: now,
                isPaused: known.isPaused))
    }

    /// Returns the transfer's identifier if the change affects it now.
    func setPaused(_ reference: TransferReference, _ isPaused: Bool) throws -> Int64? {
        try connection.first(
            """
            UPDATE transfers SET paused = ?, next_attempt = NULL WHERE store = ? AND key = ? AND state <> 'finished'
            RETURNING task
            """,
            .int(isPaused ? 1 : 0), .text(reference.store), .text(reference.key.description)
        ) { $0.int(0) }
    }

    /// Deletes a transfer in any state, and returns its identifier.
    func cancel(_ reference: TransferReference) throws -> Int64? {
        let deleted = try connection.first(
            "DELETE FROM transfers WHERE store = ? AND key = ? RETURNING task, specification",
            .text(reference.store), .text(reference.key.description)
        ) { (task: $0.int(0), specification: $0.text(1)) }
        guard let deleted else { return nil }
        reserved[deleted.task] = nil
        let specification = try? FastJSON.value(TransferSpecification.self, from: deleted.specification)
        if specification.map({ $0 != $0.withoutSecrets }) ?? true { hasRemovedSecrets = true }
        return deleted.task
    }

    func acknowledge(_ reference: TransferReference) throws -> Acknowledgement {
        let known = try connection.first(
            "SELECT task, state FROM transfers WHERE store = ? AND key = ?",
            .text(reference.store), .text(reference.key.description)
        ) { (task: $0.int(0), state: try state(of: $0, 1)) }
        guard let known else { return .unknown }
        guard known.state == .finished else { return .notFinished }
        try connection.run("DELETE FROM transfers WHERE task = ?", .int(known.task))
        return .forgotten(task: known.task)
    }

    // MARK: Progress of transfers

    /// Records the start of a new body; the record of an earlier one is replaced.
    func recordEntity(_ entity: RecordedEntity, task: Int64, boot: String) throws {
        try connection.run(
            """
            UPDATE transfers SET validator = ?, total = ?, checkpoint = 0, parts = NULL, boot = ?
            WHERE task = ? AND state = 'active'
            """,
            .optional(entity.validator), .optional(entity.total), .text(boot), .int(task))
    }

    /// Records that `bytes` of the staging file are on the disk: the first ones, or those listed in `parts`.
    func recordCheckpoint(_ bytes: Int64, parts: SegmentTable?, task: Int64) throws {
        try connection.run(
            "UPDATE transfers SET checkpoint = ?, parts = ? WHERE task = ? AND state = 'active'", .int(bytes),
            .optional(try parts.map { try JSONCoding.text(of: $0) }), .int(task))
    }

    /// Records the resource that the server has created for an upload; `nil` when it no longer exists.
    func recordUploadURL(_ url: String?, task: Int64) throws {
        try connection.run(
            "UPDATE transfers SET upload = ? WHERE task = ? AND state = 'active'", .optional(url), .int(task))
    }

    func recordAttempt(_ record: AttemptRecord, task: Int64) throws {
        let mirrorFailures = record.mirrorFailures.isEmpty ? nil : try JSONCoding.text(of: record.mirrorFailures)
        try connection.run(
            """
            UPDATE transfers SET failures = ?, next_attempt = ?, mirror = ?, mirror_failures = ?
            WHERE task = ? AND state = 'active'
            """,
            .int(record.failures), .optional(record.nextAttempt?.milliseconds), .int(record.mirror),
            .optional(mirrorFailures), .int(task))
    }

    /// Records how a transfer ended. Returns `nil` when it was canceled in the meantime.
    ///
    /// - Parameter rest: the specification without its secrets, which are removed; `nil` if it has none.
    func finish(_ outcome: TransferOutcome, keeping rest: TransferSpecification?) throws -> RecordedOutcome? {
        let recorded = try RecordedOutcome(outcome)
        let bytes: Int64 =
            switch outcome.result {
            case .delivered(_, let bytes, _, _), .uploaded(let bytes, _, _): bytes
            case .failed: 0
            }
        // Whoever knows the URL of a resumable upload may write to it.
        let count = try connection.run(
            """
            UPDATE transfers SET state = 'finished', checkpoint = ?, outcome = ?, upload = NULL,
                specification = coalesce(?, specification) WHERE task = ? AND state = 'active'
            """,
            .int(bytes), .text(recorded.json), .optional(try rest.map { try FastJSON.text(of: $0) }),
            .int(recorded.task))
        if rest != nil { hasRemovedSecrets = true }
        return count == 1 ? recorded : nil
    }

    // MARK: The write-ahead log

    /// Moves the content of the write-ahead log into the database file, and empties the log.
    ///
    /// - Returns: `false` if another connection prevents it.
    func emptyWriteAheadLog() throws -> Bool {
        guard try connection.emptyLog() else { return false }
        hasRemovedSecrets = false
        return true
    }

    // MARK: States

    func state(of row: borrowing SQLiteRow, _ column: Int) throws -> TransferSnapshot.State {
        let text = row.text(column)
        guard let state = TransferSnapshot.State(rawValue: text) else {
            throw SQLiteError(
                code: 11, message: "a transfer is in the unknown state \"\(text)\"", path: connection.path,
                action: "read a transfer")
        }
        return state
    }
}

/// The result of a request to reserve.
enum Reservation: Sendable, Hashable {
    case reserved(task: Int64)
    /// The reference belongs to a transfer with another specification, in this state.
    case conflict(state: TransferSnapshot.State)
}

/// The result of a request to start a transfer.
enum Resumption: Sendable, Hashable {
    /// It was reserved and is now active.
    case started(TransferRecord)
    /// It was active or finished before.
    case already
    case unknown
}

/// The result of an acknowledgment.
enum Acknowledgement: Sendable, Hashable {
    case forgotten(task: Int64)
    case unknown
    case notFinished
}
