import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkSystem
import BackgroundWorkTransfers
import TestSupport
import Testing

@testable import BackgroundWorkAgent

@Suite("The agent's journal")
struct JournalTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/agent.sqlite" }
    private let now = WallTime(milliseconds: 1)

    init() throws { folder = try TemporaryFolder() }

    private func finish(_ journal: Journal, _ specification: TransferSpecification, task: Int64) throws -> Bool {
        try journal.finish(
            TransferOutcome(
                reference: specification.reference, sessionIdentifier: "session", taskIdentifier: task,
                savePath: "/save/here", workerName: "Worker",
                result: .delivered(stagingPath: "/s", bytes: 9, statusCode: 200, finalURL: "http://host/file")),
            keeping: nil) != nil
    }

    @Test("the same reservation is returned again, and another one only while the transfer has not started")
    func reserve() throws {
        let journal = try Journal(path: path)
        let first = TransferSpecification.sample(headers: ["a": "1", "b": "2"])
        let other = TransferSpecification.sample(url: "http://host/other")
        #expect(try journal.reserve(first, at: now) == .reserved(task: 1))
        #expect(try journal.reserve(first, at: now) == .reserved(task: 1))
        #expect(try journal.reserve(other, at: now) == .reserved(task: 1))
        guard case .started(let record) = try journal.resume(first.reference, at: WallTime(milliseconds: 5), boot: "b")
        else {
            Issue.record("not started")
            return
        }
        #expect(record.specification == other)
        #expect(try journal.reserve(other, at: now) == .reserved(task: 1))
        #expect(try journal.reserve(first, at: now) == .conflict(state: .active))
        #expect(try finish(journal, other, task: 1))
        #expect(try journal.reserve(other, at: now) == .reserved(task: 1))
        #expect(try journal.reserve(first, at: now) == .conflict(state: .finished))
        #expect(try journal.reserve(.sample(store: "another"), at: now) == .reserved(task: 2))
    }

    @Test("identifiers are never reused, and are above the client's highest")
    func identifiers() throws {
        let journal = try Journal(path: path)
        try journal.raiseTaskIdentifiers(above: 41)
        #expect(try journal.reserve(.sample("a"), at: now) == .reserved(task: 42))
        #expect(try journal.cancel(TransferSpecification.sample("a").reference) == 42)
        try journal.raiseTaskIdentifiers(above: 7)
        #expect(try journal.reserve(.sample("a"), at: now) == .reserved(task: 43))
    }

    @Test("resuming starts once, and says when there is nothing to start")
    func resume() throws {
        let journal = try Journal(path: path)
        let reference = TransferSpecification.sample().reference
        #expect(try journal.resume(reference, at: WallTime(milliseconds: 5), boot: "b") == .unknown)
        _ = try journal.reserve(.sample(), at: now)
        guard case .started = try journal.resume(reference, at: WallTime(milliseconds: 5), boot: "b") else {
            Issue.record("not started")
            return
        }
        #expect(try journal.resume(reference, at: WallTime(milliseconds: 5), boot: "b") == .already)
        #expect(try finish(journal, .sample(), task: 1))
        #expect(try journal.resume(reference, at: WallTime(milliseconds: 5), boot: "b") == .already)
    }

    @Test("only a finished transfer is acknowledged, and is then forgotten")
    func acknowledge() throws {
        let journal = try Journal(path: path)
        let reference = TransferSpecification.sample().reference
        #expect(try journal.acknowledge(reference) == .unknown)
        _ = try journal.reserve(.sample(), at: now)
        #expect(try journal.acknowledge(reference) == .notFinished)
        _ = try journal.resume(reference, at: WallTime(milliseconds: 5), boot: "b")
        #expect(try journal.acknowledge(reference) == .notFinished)
        #expect(try finish(journal, .sample(), task: 1))
        #expect(try journal.outcomes { Issue.record("\($0)") }.map(\.task) == [1])
        #expect(try journal.acknowledge(reference) == .forgotten(task: 1))
        #expect(try journal.snapshots(after: 0).list.isEmpty)
    }

    @Test("a transfer starts as its row says, also when an earlier reservation of its number was rolled back")
    func rolledBack() throws {
        struct Failed: Error {}
        let journal = try Journal(path: path)
        let other = TransferSpecification.sample("b", url: "http://host/other")
        #expect(throws: Failed.self) {
            try journal.connection.transaction {
                #expect(try journal.reserve(.sample("a"), at: now) == .reserved(task: 1))
                throw Failed()
            }
        }
        #expect(try journal.reserve(other, at: now) == .reserved(task: 1))
        let changed = TransferSpecification.sample("b", url: "http://host/changed")
        #expect(throws: Failed.self) {
            try journal.connection.transaction {
                #expect(try journal.reserve(changed, at: now) == .reserved(task: 1))
                throw Failed()
            }
        }
        guard case .started(let record) = try journal.resume(other.reference, at: now, boot: "b") else {
            Issue.record("not started")
            return
        }
        #expect(record.specification == other)
    }

    @Test("requests after a cancel change nothing")
    func cancel() throws {
        let journal = try Journal(path: path)
        let specification = TransferSpecification.sample()
        #expect(try journal.cancel(specification.reference) == nil)
        _ = try journal.reserve(specification, at: now)
        _ = try journal.resume(specification.reference, at: WallTime(milliseconds: 5), boot: "b")
        #expect(try journal.cancel(specification.reference) == 1)
        try journal.recordEntity(RecordedEntity(validator: "v", total: 1), task: 1, boot: "b")
        try journal.recordCheckpoint(1, parts: nil, task: 1)
        #expect(try !finish(journal, specification, task: 1))
        #expect(try journal.snapshots(after: 0).list.isEmpty)
    }

    @Test("a body's record survives a restart, and a new body starts at zero")
    func progress() throws {
        let specification = TransferSpecification.sample()
        var epoch: String?
        do {
            let journal = try Journal(path: path)
            epoch = journal.epoch
            _ = try journal.reserve(specification, at: now)
            _ = try journal.resume(specification.reference, at: WallTime(milliseconds: 5), boot: "b1")
            #expect(try journal.activeTransfers { Issue.record("\($0)") }.first?.entity == nil)
            try journal.recordEntity(RecordedEntity(validator: "v1", total: 100), task: 1, boot: "b1")
            try journal.recordCheckpoint(64, parts: nil, task: 1)
            try journal.setLaunchCommand(LaunchCommand(arguments: ["/p"], environment: [:], workingDirectory: "/"))
        }
        let journal = try Journal(path: path)
        #expect(journal.epoch == epoch)
        #expect(try journal.launchCommand()?.arguments == ["/p"])
        try journal.setLaunchCommand(nil)
        #expect(try journal.launchCommand() == nil)
        let record = try journal.activeTransfers { Issue.record("\($0)") }.first
        #expect(record?.entity == RecordedEntity(validator: "v1", total: 100))
        #expect(record?.checkpoint == 64)
        #expect(record?.boot == "b1")
        #expect(try journal.snapshots(after: 0).list.first?.totalBytes == 100)
        try journal.recordEntity(RecordedEntity(validator: "v2", total: nil), task: 1, boot: "b2")
        #expect(try journal.activeTransfers { Issue.record("\($0)") }.first?.checkpoint == 0)
    }

    @Test("wakes survive a restart, separately for each store, the earliest of each set of conditions")
    func wakes() throws {
        func wake(_ earliest: Int64, _ needs: Constraints = []) -> WakeRequest {
            WakeRequest(earliest: WallTime(milliseconds: earliest), needs: needs)
        }
        do {
            let journal = try Journal(path: path)
            #expect(try journal.wakes().isEmpty)
            try journal.setWakes([wake(9), wake(7)], of: "a", forgetting: [])
            try journal.setWakes([wake(5, .network), wake(6), wake(8, .network)], of: "b", forgetting: [])
            try journal.setWakes([wake(1)], of: "c", forgetting: [])
        }
        let journal = try Journal(path: path)
        #expect(try journal.wakes() == ["a": [wake(7)], "b": [wake(5, .network), wake(6)], "c": [wake(1)]])
        try journal.setWakes([wake(-3, .all)], of: "b", forgetting: ["c"])
        try journal.setWakes([], of: "a", forgetting: [])
        #expect(try journal.wakes() == ["b": [wake(-3, .all)]])
    }

    @Test("awaited files survive a restart with their stamps, and are removed with their store")
    func files() throws {
        func file(_ path: String, _ stamp: String) -> FileWakeRequest { FileWakeRequest(path: path, stamp: stamp) }
        do {
            let journal = try Journal(path: path)
            try journal.setWakes(WakeList(files: [file("/x", "1"), file("/y", "1")]), of: "a", forgetting: [])
            try journal.setWakes(WakeList(files: [file("/x", "1")]), of: "b", forgetting: [])
        }
        let journal = try Journal(path: path)
        #expect(
            try journal.wakes() == [
                "a": WakeList(files: [file("/x", "1"), file("/y", "1")]), "b": WakeList(files: [file("/x", "1")]),
            ])
        try journal.setWakes(WakeList(files: [file("/x", "2"), file("/y", "1")]), of: "a", forgetting: ["b"])
        #expect(try journal.wakes() == ["a": WakeList(files: [file("/x", "2"), file("/y", "1")])])
        try journal.setWakes([], of: "a", forgetting: [])
        #expect(try journal.wakes().isEmpty)
    }

    @Test("a journal from before there were wakes keeps what it has")
    func migration() throws {
        try SchemaMigrator(title: "journal", steps: Array(JournalSchema.migrator.steps.prefix(1)))
            .migrate(SQLiteConnection(path: path, mode: .readWriteCreate))
        try SQLiteConnection(path: path, mode: .readWriteCreate)
            .execute("INSERT INTO meta VALUES('epoch', 'from before')")
        let journal = try Journal(path: path)
        #expect(journal.epoch == "from before")
        #expect(try journal.wakes().isEmpty)
    }

    @Test("a journal of a later version is not changed, and the error names both versions")
    func laterVersion() throws {
        try SQLiteConnection(path: path, mode: .readWriteCreate).execute("PRAGMA user_version = 99")
        let error = #expect(throws: SchemaTooNewError.self) { try JournalOpener(path: path) { _ in }.open() }
        #expect(error?.found == 99)
        #expect(error?.supported == 5)
        #expect(AgentExitStatus(try #require(error)) == .journalTooNew)
    }

    @Test(
        "a number that leaves none for those that follow is not counted on from",
        arguments: [Int64.max, Int64.max - 1, Int64.max / 2 + 1])
    func absurdIdentifiers(minimum: Int64) throws {
        let journal = try Journal(path: path)
        try journal.raiseTaskIdentifiers(above: 7)
        try journal.raiseTaskIdentifiers(above: minimum)
        #expect(try journal.reserve(.sample(), at: WallTime(milliseconds: 0)) == .reserved(task: 8))
    }

    @Test("a journal that has counted to the end begins again after its transfers")
    func usedUpIdentifiers() throws {
        try Journal(path: path).connection.run(
            "UPDATE sqlite_sequence SET seq = ? WHERE name = 'transfers'", .int(Int64.max))
        #expect(
            try Journal(path: path).reserve(.sample(), at: WallTime(milliseconds: 0)) == .reserved(task: 1))
    }

    @Test("a damaged journal is renamed, and a new one has another epoch")
    func damaged() throws {
        let epoch = try Journal(path: path).epoch
        let file = open(path, O_WRONLY | O_TRUNC)
        #expect(write(file, Array("this is no database at all".utf8), 26) == 26)
        close(file)
        var reports: [String] = []
        let journal = try JournalOpener(path: path) { reports.append($0) }.open()
        #expect(journal.epoch != epoch)
        #expect(reports.count == 1)
        let aside = folder.names.filter { $0.hasPrefix("agent.sqlite.corrupt-") }
        #expect(aside.count == 1)
    }
}
