import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkURLSession

struct SessionJournalTests {
    @Test("a journal of the first version keeps its transfers, and can record stopped tasks")
    func firstVersion() throws {
        let stage = try SessionStage()
        let path = stage.folder.path + "/journal.sqlite"
        let epoch = try {
            let journal = try SessionJournal(path: path)
            _ = try journal.insert(stage.download("a"), identifier: 7, state: .active, startedAt: nil)
            return journal.epoch
        }()
        try {
            let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
            try connection.execute("ALTER TABLE transfers DROP COLUMN stopped_task")
            try connection.execute("PRAGMA user_version = 1")
        }()
        let journal = try SessionJournal(path: path)
        #expect(journal.epoch == epoch)
        var transfer = try #require(journal.transfers { Issue.record("\($0)") }.first)
        #expect(transfer.specification == stage.download("a"))
        #expect(transfer.stoppedTask == nil)
        transfer.stoppedTask = 7
        try journal.update(transfer)
        #expect(try journal.transfers { Issue.record("\($0)") }.map(\.stoppedTask) == [7])
    }

    @Test("a transfer that has ended has no secrets in the journal, except where a failed download can be continued")
    func secrets() throws {
        let stage = try SessionStage()
        let journal = try SessionJournal(path: stage.folder.path + "/journal.sqlite")
        var specification = stage.download("a")
        specification.url += "?sig=Zq7-signature"
        specification.options.headers = ["Cookie": "Zq7-cookie-of-the-client"]
        _ = try journal.insert(specification, identifier: 7, state: .active, startedAt: nil)
        var transfer = try #require(journal.transfers { Issue.record("\($0)") }.first)
        transfer.resumeData = Data("Zq7".utf8)
        transfer.response = ReceivedResponse(statusCode: 200, headers: [:], url: specification.url)
        try journal.update(transfer)
        #expect(transfer.hasSecrets)
        var details = TransferDetails()
        details.headers = ["x-request-id": "Zq7-cookie-of-the-client", "location": "/next?sig=Zq7"]
        func outcome(_ result: TransferOutcome.Result) -> TransferOutcome {
            TransferOutcome(
                reference: specification.reference, sessionIdentifier: "s", taskIdentifier: 7, savePath: "/p",
                workerName: "W", result: result, details: details)
        }
        let ended = transfer.ended(
            with: outcome(.delivered(stagingPath: "/s", bytes: 1, statusCode: 200, finalURL: specification.url)))
        try journal.update(ended)
        #expect(!ended.hasSecrets)
        #expect(ended.specification == specification.withoutSecrets)
        #expect(try journal.emptyLog())
        for name in stage.folder.names {
            let content = FileManager.default.contents(atPath: stage.folder.path + "/" + name) ?? Data()
            #expect(content.firstRange(of: Data("Zq7".utf8)) == nil, "\(name)")
        }
        var failure = TransferFailure(kind: .network, message: "no Zq7-cookie-of-the-client", isRetryable: true)
        failure.resumeToken = ResumeToken("Zq7", of: specification.url)
        let failed = transfer.ended(with: outcome(.failed(failure)))
        #expect(failed.hasSecrets)
        guard case .failed(let told) = failed.outcome?.result else {
            Issue.record("not failed")
            return
        }
        #expect(told.message == "no …")
        #expect(told.resumeToken == failure.resumeToken)
    }
}
