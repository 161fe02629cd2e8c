import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkAgent

struct JournalTests {
    let folder: TemporaryFolder
    var path: String { folder.path + "/agent.sqlite" }
    let now = WallTime(milliseconds: 1)

    init() throws { folder = try TemporaryFolder() }

    func specification(_ id: String = "a", generation: Int64 = 1, url: String = "http://h/f") -> TransferSpecification {
        TransferSpecification(
            reference: TransferReference(store: "s", key: TransferKey(workID: id, generation: generation)),
            sessionIdentifier: "session", url: url, headers: [:], stallTimeoutMs: 1000, addressPolicy: .unrestricted,
            savePath: "/tmp/f", workerName: "W")
    }

    func outcome(_ specification: TransferSpecification, task: Int64) -> TransferOutcome {
        TransferOutcome(
            reference: specification.reference, sessionIdentifier: "session", taskIdentifier: task,
            savePath: "/tmp/f", workerName: "W",
            result: .delivered(stagingPath: "/x", bytes: 5, statusCode: 200, finalURL: "http://h/f"))
    }

    @Test("the same reference gets the same reservation, another generation another one")
    func reservations() throws {
        let journal = try Journal(path: path)
        let first = try journal.reserve(specification(), at: now)
        #expect(first == .reserved(task: 1))
        #expect(try journal.reserve(specification(), at: now) == first)
        #expect(try journal.reserve(specification(generation: 2), at: now) == .reserved(task: 2))
        // Not started yet: the newer wish counts.
        #expect(try journal.reserve(specification(url: "http://h/g"), at: now) == first)
        guard case .started(let record) = try journal.resume(specification().reference, boot: "b") else {
            Issue.record("the reservation must start")
            return
        }
        #expect(record.specification.url == "http://h/g")
        #expect(try journal.resume(specification().reference, boot: "b") == .already)
        #expect(try journal.reserve(specification(), at: now) == .conflict(state: .active))
        #expect(try journal.resume(specification("nobody").reference, boot: "b") == .unknown)
    }

    @Test("identifiers begin above what the client's state file holds, and never come again")
    func identifiers() throws {
        let journal = try Journal(path: path)
        try journal.raiseTaskIdentifiers(above: 41)
        #expect(try journal.reserve(specification(), at: now) == .reserved(task: 42))
        try journal.raiseTaskIdentifiers(above: 7)
        #expect(try journal.cancel(specification().reference) == 42)
        #expect(try journal.reserve(specification(), at: now) == .reserved(task: 43))
    }

    @Test("an outcome stays until it is acknowledged, also over a restart")
    func outcomes() throws {
        let epoch: String
        do {
            let journal = try Journal(path: path)
            epoch = journal.epoch
            _ = try journal.reserve(specification(), at: now)
            #expect(try journal.acknowledge(specification().reference) == .notFinished)
            _ = try journal.resume(specification().reference, boot: "b")
            #expect(try journal.finish(outcome(specification(), task: 1)))
            #expect(try !journal.finish(outcome(specification(), task: 1)))
        }
        let journal = try Journal(path: path)
        #expect(journal.epoch == epoch)
        #expect(try journal.outcomes { _ in } == [outcome(specification(), task: 1)])
        #expect(try journal.acknowledge(specification().reference) == .forgotten(task: 1))
        #expect(try journal.acknowledge(specification().reference) == .unknown)
        #expect(try journal.outcomes { _ in }.isEmpty)
    }

    @Test("what bytes belong to, and how many are on the disk, is read back")
    func checkpoints() throws {
        let journal = try Journal(path: path)
        _ = try journal.reserve(specification(), at: now)
        _ = try journal.resume(specification().reference, boot: "b")
        try journal.recordEntity(RecordedEntity(validator: "\"e\"", total: 9), task: 1, boot: "b")
        try journal.recordCheckpoint(4, task: 1)
        let record = try #require(try journal.activeTransfers { _ in }.first)
        #expect(record.entity == RecordedEntity(validator: "\"e\"", total: 9))
        #expect(record.checkpoint == 4)
        #expect(record.boot == "b")
        try journal.recordEntity(RecordedEntity(validator: nil, total: nil), task: 1, boot: "c")
        #expect(try journal.activeTransfers { _ in }.first?.checkpoint == 0)
    }

    @Test("a journal of a later program is refused with both versions, and left alone")
    func laterSchema() throws {
        do {
            let journal = try Journal(path: path)
            try journal.connection.execute("PRAGMA user_version = 77")
        }
        let error = #expect(throws: SchemaTooNewError.self) { try JournalOpener(path: path, report: { _ in }).open() }
        #expect(error?.description.contains("77") == true)
        #expect(folder.names.allSatisfy { !$0.contains("corrupt") })
    }

    @Test("a damaged journal is set aside and another begun, under another epoch")
    func damage() throws {
        try Data(repeating: 7, count: 5000).write(to: URL(filePath: path))
        var reports: [String] = []
        let journal = try JournalOpener(path: path, report: { reports.append($0) }).open()
        #expect(!journal.epoch.isEmpty)
        #expect(reports.count == 1)
        #expect(folder.names.contains { $0.hasPrefix("agent.sqlite.corrupt-") })
    }

    @Test("the agent's arguments are understood, and others refused in words")
    func options() throws {
        #expect(try AgentOptions(["demo"]) == nil)
        #expect(try AgentOptions([]) == nil)
        let options = try #require(try AgentOptions(["agent", "--directory", "/d", "--ready", "--idle-exit", "3"]))
        #expect(options.directory == "/d")
        #expect(options.signalsReadiness)
        #expect(options.idleExitSeconds == 3)
        for arguments in [["agent"], ["agent", "--directory", "relative"], ["agent", "--directory", "/d", "--x"]] {
            #expect(throws: AgentOptions.Malformed.self) { try AgentOptions(arguments) }
        }
    }
}
