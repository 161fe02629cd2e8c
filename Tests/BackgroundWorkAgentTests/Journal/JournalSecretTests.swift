import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkAgent

@Suite("Secrets in the agent's journal")
struct JournalSecretTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/agent.sqlite" }
    private let now = WallTime(milliseconds: 1)

    init() throws { folder = try TemporaryFolder() }

    /// Records an end as the engine does.
    private func finish(_ journal: Journal, _ specification: TransferSpecification, task: Int64) throws -> Bool {
        let rest = specification.withoutSecrets
        return try journal.finish(
            TransferOutcome(
                reference: specification.reference, sessionIdentifier: "session", taskIdentifier: task,
                savePath: "/save/here", workerName: "Worker",
                result: .delivered(stagingPath: "/s", bytes: 9, statusCode: 200, finalURL: "http://host/file")),
            keeping: rest == specification ? nil : rest) != nil
    }

    @Test("a transfer that has ended has no secrets in the journal, and its reservation is still known")
    func secrets() throws {
        let journal = try Journal(path: path)
        let plain = TransferSpecification.sample("plain")
        var secret = TransferSpecification.sample("secret", url: "http://me:Zq7pass@host/file?sig=Zq7query")
        secret.options.authentication = .bearer(token: "Zq7token")
        for specification in [plain, secret] {
            _ = try journal.reserve(specification, at: now)
            _ = try journal.resume(specification.reference, at: now, boot: "b")
        }
        try journal.recordUploadURL("http://host/uploads/Zq7upload", task: 2)
        #expect(try finish(journal, plain, task: 1))
        #expect(!journal.hasRemovedSecrets)
        #expect(try finish(journal, secret, task: 2))
        #expect(journal.hasRemovedSecrets)
        #expect(try journal.emptyWriteAheadLog())
        #expect(!journal.hasRemovedSecrets)
        for file in folder.names {
            let content = try Data(contentsOf: URL(filePath: folder.path + "/" + file))
            #expect(content.firstRange(of: Data("Zq7".utf8)) == nil, "\(file)")
        }
        #expect(try journal.reserve(secret, at: now) == .reserved(task: 2))
        #expect(try journal.snapshots(after: 1).list.map(\.url) == ["http://host/file"])
        var other = secret
        other.savePath = "/other"
        #expect(try journal.reserve(other, at: now) == .conflict(state: .finished))
        #expect(try journal.cancel(secret.reference) == 2)
        #expect(!journal.hasRemovedSecrets)
    }

    @Test("the deletion of a transfer in progress removes its secrets")
    func cancelledSecrets() throws {
        let journal = try Journal(path: path)
        let secret = TransferSpecification.sample(headers: ["Cookie": "Zq7cookie"])
        _ = try journal.reserve(secret, at: now)
        #expect(try journal.cancel(secret.reference) == 1)
        #expect(journal.hasRemovedSecrets)
    }
}
