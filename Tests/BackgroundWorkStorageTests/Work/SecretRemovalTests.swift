import BackgroundWorkModel
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkStorage

/// Inputs lose their secrets with the end of their items.
struct SecretRemovalTests {
    private let folder: MemoryFolder
    private let scheduler: StoreScheduler
    private let secret = TaskRequest(workerClassName: "T", inputJSON: #"{"token":"Zq7secret"}"#)
    private let harmless = TaskRequest(workerClassName: "T", inputJSON: #"{"n":1}"#)
    private let left = #"{"removed":true}"#

    init() async throws {
        folder = try MemoryFolder()
        var settings = StoreSettings.inUTC(transferring: ["T"])
        settings.secrets = SecretInputs(
            mayBeOf: { $0 == "T" }, removed: { $0.contains("Zq7") ? #"{"removed":true}"# : nil })
        scheduler = try await StoreScheduler(path: folder.path + "/work", settings: settings)
    }

    private func input(_ id: String) async throws -> String? { try await scheduler.record(id)?.inputJSON }

    /// The files of the database that have the secret.
    private var filesWithSecret: [String] {
        ["work", "work-wal"].filter {
            FileManager.default.contents(atPath: folder.path + "/" + $0)?.firstRange(of: Data("Zq7".utf8)) != nil
        }
    }

    /// Empties the log.
    private func emptyLog() async {
        await withCheckedContinuation { continuation in
            scheduler.store.emptyLogAtEnd { continuation.resume() }
        }
    }

    @Test(
        "an end for good removes them, from the log as well",
        arguments: [RunEnding.success, .failed("broken"), .finished(.skipped, message: nil, outputJSON: nil)])
    func end(ending: RunEnding) async throws {
        try await scheduler.enqueue("a", secret)
        let work = try await scheduler.claimOne()
        #expect(work.record.inputJSON == secret.inputJSON)
        #expect(filesWithSecret == ["work-wal"])
        try await scheduler.end(work, ending)
        #expect(scheduler.newest.hasRemovedSecrets)
        #expect(try await input("a") == left)
        await emptyLog()
        #expect(filesWithSecret == [])
    }

    @Test("a cancellation removes them, of waiting work too")
    func cancelled() async throws {
        try await scheduler.enqueue("a", secret)
        _ = try await scheduler.write { try $0.cancel(id: "a", now: .start) }
        #expect(try await input("a") == left)
        await emptyLog()
        #expect(filesWithSecret == [])
    }

    @Test("a replacement and an update remove those of the earlier request", arguments: [true, false])
    func replaced(isUpdate: Bool) async throws {
        try await scheduler.enqueue("a", secret)
        try await scheduler.enqueue("a", harmless, policy: isUpdate ? .update : .replace)
        #expect(scheduler.newest.hasRemovedSecrets)
        #expect(try await input("a") == harmless.inputJSON)
        await emptyLog()
        #expect(filesWithSecret == [])
    }

    @Test("work that is appended and never starts leaves none")
    func appended() async throws {
        try await scheduler.enqueue("a", harmless)
        try await scheduler.enqueue("a", secret, policy: .append)
        #expect(filesWithSecret == ["work-wal"])
        _ = try await scheduler.write { try $0.cancel(id: "a", now: .start) }
        #expect(scheduler.newest.hasRemovedSecrets)
        await emptyLog()
        #expect(filesWithSecret == [])
    }

    @Test("a retry keeps them")
    func retried() async throws {
        try await scheduler.enqueue("a", secret)
        try await scheduler.end(try await scheduler.claimOne(), .retry(reason: "later", after: .zero, attemptCap: nil))
        #expect(!scheduler.newest.hasRemovedSecrets)
        #expect(try await scheduler.claimOne().record.inputJSON == secret.inputJSON)
    }

    @Test("recurring work keeps them until it has ended")
    func recurring() async throws {
        try await scheduler.enqueue("p", secret, trigger: .periodic(interval: .seconds(60)))
        try await scheduler.end(try await scheduler.claimOne(), .success)
        #expect(try await input("p") == secret.inputJSON)
        _ = try await scheduler.write { try $0.cancel(id: "p", now: .start) }
        #expect(try await input("p") == left)
    }

    @Test("a chain's members keep theirs until each has ended, and those that cannot run any more lose theirs")
    func chain() async throws {
        try await scheduler.enqueue(chain: "c", [[secret], [secret], [secret]])
        try await scheduler.end(try await scheduler.claimOne(), .success)
        #expect(try await input("c/0.0") == left)
        #expect(try await input("c/1.0") == secret.inputJSON)
        #expect(try await input("c/2.0") == secret.inputJSON)
        try await scheduler.end(try await scheduler.claimOne(), .failed("broken"))
        #expect(try await input("c/2.0") == left)
        await emptyLog()
        #expect(filesWithSecret == [])
    }

    @Test("what has lost them is not retried, and nothing of its chain is")
    func refused() async throws {
        try await scheduler.enqueue(chain: "c", [[harmless], [harmless, secret]])
        try await scheduler.end(try await scheduler.claimOne(), .failed("broken"))
        await #expect(throws: SecretsRemovedError(ids: ["c/1.1"])) {
            try await scheduler.write { try $0.revive(id: "c", now: .start) }
        }
        #expect(try await scheduler.record("c/0.0")?.status.state == .failed)
        #expect(try await scheduler.claim().isEmpty)
        // It is in the way of that chain only.
        try await scheduler.enqueue("a", harmless)
        try await scheduler.end(try await scheduler.claimOne(), .failed("broken"))
        #expect(try await scheduler.write { try $0.revive(id: "a", now: .start) } == .revived(items: 1))
    }

    @Test("a member that has succeeded does not prevent the retry of the others")
    func succeededMember() async throws {
        try await scheduler.enqueue(chain: "c", [[secret], [harmless]])
        try await scheduler.end(try await scheduler.claimOne(), .success)
        try await scheduler.end(try await scheduler.claimOne(), .failed("broken"))
        #expect(try await scheduler.write { try $0.revive(id: "c", now: .start) } == .revived(items: 1))
    }

    @Test("work without secrets is left as it is, and so is that of other workers")
    func without() async throws {
        let other = TaskRequest(workerClassName: "other", inputJSON: #"{"token":"Zq7secret"}"#)
        for (id, request) in [("a", harmless), ("b", other)] {
            try await scheduler.enqueue(id, request)
            try await scheduler.end(try await scheduler.claimOne(), .success)
            #expect(!scheduler.newest.hasRemovedSecrets)
            #expect(try await input(id) == request.inputJSON)
        }
    }

    @Test("a checkpoint of a transfer goes as well")
    func checkpoint() async throws {
        try await scheduler.enqueue("a", harmless)
        let work = try await scheduler.claimOne()
        let (key, owner) = (work.record.runKey, scheduler.owner)
        #expect(try await scheduler.write { try $0.saveCheckpoint(#""Zq7""#, of: key, owner: owner) })
        try await scheduler.end(work, .failed("broken"))
        #expect(scheduler.newest.hasRemovedSecrets)
        await emptyLog()
        #expect(filesWithSecret == [])
    }

    @Test("of hundreds of waiting items each one leaves nothing behind in the pages of the others")
    func many() async throws {
        for number in 0..<300 {
            let words = String(repeating: "Zq7-\(number)-", count: number % 50 * 10 + 1)
            try await scheduler.enqueue(
                "\(number)", TaskRequest(workerClassName: "T", inputJSON: #"{"token":"\#(words)"}"#))
        }
        let kept = try await scheduler.claim(limit: 3).map(\.record.id)
        let ended = (0..<300).map(String.init).filter { !kept.contains($0) }
        for id in ended.shuffled() { _ = try await scheduler.write { try $0.cancel(id: id, now: .start) } }
        await emptyLog()
        let file = try Data(contentsOf: URL(filePath: folder.path + "/work"))
        #expect(ended.filter { file.range(of: Data("Zq7-\($0)-".utf8)) != nil } == [])
        #expect(kept.allSatisfy { file.range(of: Data("Zq7-\($0)-".utf8)) != nil })
    }
}
