import BackgroundWorkModel
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkTransfers

struct TransferStateStoreTests {
    let folder: TemporaryFolder
    var path: String { folder.path + "/" + TransferStateStore.fileName }

    init() throws { folder = try TemporaryFolder() }

    func store(report: @escaping @Sendable (String) -> Void = { _ in }) -> TransferStateStore {
        TransferStateStore(directory: folder.path, clock: FrozenClock(), report: report)
    }

    func entry(_ task: Int64, savePath: String = "/tmp/a") -> TransferEntry {
        TransferEntry(
            sessionIdentifier: "s", taskIdentifier: task, savePath: savePath, workerName: "W",
            createdAt: WallTime(milliseconds: 42),
            reference: TransferReference(store: "x", key: TransferKey(workID: "a#b", generation: 2)))
    }

    func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }

    func json() throws -> NSDictionary {
        try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path))) as? NSDictionary)
    }

    @Test("an entry is on disk, in the ancestor's form, when put returns")
    func form() async throws {
        try await store().put(entry(7))
        let root = try json()
        #expect(root["schemaVersion"] as? Int == 1)
        let entries = try #require(root["entries"] as? NSDictionary)
        let stored = try #require(entries["s:7"] as? NSDictionary)
        #expect(stored["sessionIdentifier"] as? String == "s")
        #expect(stored["taskIdentifier"] as? Int == 7)
        #expect(stored["savePath"] as? String == "/tmp/a")
        #expect(stored["workerName"] as? String == "W")
        #expect(stored["createdAtMs"] as? Int == 42)
        #expect(try store().entry(session: "s", task: 7) == entry(7))
    }

    @Test("the ancestor's file is read, with and without a version, and empty")
    func ancestor() throws {
        #expect(try store().entries().isEmpty)
        try write("{}")
        #expect(try store().entries().isEmpty)
        try write(
            #"{"entries":{"s:1":{"sessionIdentifier":"s","taskIdentifier":1,"savePath":"/p","workerName":"IosBackgroundDownloadWorker","createdAtMs":1700000000000}}}"#
        )
        let entry = try #require(try store().entry(session: "s", task: 1))
        #expect(entry.reference == nil)
        #expect(entry.createdAt.milliseconds == 1_700_000_000_000)
    }

    @Test("unknown fields, unreadable entries and a higher version are kept when written back")
    func unknownFields() async throws {
        try write(
            #"{"schemaVersion":9,"origin":{"x":[1,2.5,null]},"entries":{"s:1":{"sessionIdentifier":"s","taskIdentifier":1,"savePath":"/p","workerName":"W","createdAtMs":5,"etag":"\"a\"","big":9007199254740993},"odd":{"half":true}}}"#
        )
        let store = store()
        try await store.put(entry(2))
        let root = try json()
        #expect(root["schemaVersion"] as? Int == 9)
        #expect((root["origin"] as? NSDictionary)?["x"] as? NSArray == [1, 2.5, NSNull()])
        let entries = try #require(root["entries"] as? NSDictionary)
        #expect((entries["odd"] as? NSDictionary)?["half"] as? Bool == true)
        #expect((entries["s:1"] as? NSDictionary)?["etag"] as? String == "\"a\"")
        #expect((entries["s:1"] as? NSDictionary)?["big"] as? Int == 9_007_199_254_740_993)
        #expect(try store.entries().count == 2)
    }

    @Test(
        "a file that does not parse is renamed as a whole, reported, and never overwritten",
        arguments: ["", "{\"entries\":{\"s:1\":{\"sess", "[]", "{\"entries\":[]}", "\0\0\0\0"])
    func damaged(text: String) async throws {
        try write(text)
        let reports = Recorder<String>()
        let store = store { message in reports.add(message) }
        try await store.put(entry(1))
        #expect(try store.entries().count == 1)
        let aside = try #require(folder.names.first { $0.contains(".corrupt-") })
        #expect(try Data(contentsOf: URL(filePath: folder.path + "/" + aside)) == Data(text.utf8))
        #expect(reports.values.count == 1)
        #expect(reports.values.first?.contains(aside) == true)
    }

    @Test("removal is durable, and of a missing entry costs no write")
    func removal() async throws {
        let store = store()
        try await store.put(entry(1))
        try await store.remove(session: "s", task: 1)
        #expect((try json()["entries"] as? NSDictionary)?.count == 0)
        let before = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
        try await store.remove(session: "s", task: 1)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int == before)
    }

    @Test("two stores on one file, as in two processes, lose none of each other's changes")
    func twoWriters() async throws {
        let stores = [store(), store()]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<200 {
                group.addTask { try await stores[task % 2].put(entry(Int64(task))) }
            }
            try await group.waitForAll()
        }
        #expect(Set(try stores[0].entries().map(\.taskIdentifier)) == Set((0..<200).map(Int64.init)))
        #expect(try stores[1].entries().count == 200)
    }

    @Test("a change by another process is seen at the next read")
    func revalidation() async throws {
        let mine = store()
        try await mine.put(entry(1))
        try await store().put(entry(2))
        #expect(try mine.entry(session: "s", task: 2) != nil)
    }

    @Test("a named pipe instead of the file is an error, without waiting for a writer")
    func pipe() throws {
        #expect(SystemFile.makePipe(at: folder.path + "/bg_url_session_state.json"))
        let error = #expect(throws: (any Error).self) { try store().entries() }
        #expect(error.map { "\($0)" }?.contains("not a regular file") == true)
    }
}
