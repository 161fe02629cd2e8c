import BackgroundWorkModel
import BackgroundWorkStorage
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
}
