import BackgroundWorkStorage
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

@testable import BackgroundWork

/// A directory that a later version of the package has written.
struct NewerDatabaseTests {
    private func check(database: String, newestKnown: Int, in folder: String, open: () throws -> Void) throws {
        let path = folder + "/" + database
        do {
            let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
            try connection.execute("PRAGMA user_version = 99")
        }
        let before = try Data(contentsOf: URL(filePath: path))
        let error = #expect(
            throws: ConfigurationError.databaseTooNew(path: path, version: 99, newestKnown: newestKnown)
        ) {
            try open()
        }
        #expect(error?.description.contains(path) == true)
        #expect(error?.localizedDescription == error?.description)
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    @Test(
        "a scheduler is not created on a newer database; the error names it and both versions; the file is unchanged"
    )
    func scheduler() async throws {
        let fixture = try SchedulerFixture()
        await (try fixture.open()).shutdown()
        try check(database: "work.sqlite", newestKnown: 2, in: fixture.folder.path) { _ = try fixture.open() }
    }

    @Test("a downloader is not created on a newer database")
    func downloader() async throws {
        let folder = try TemporaryFolder()
        var configuration = StandaloneTransferConfiguration(directory: URL(filePath: folder.path))
        configuration.transferService = try ScriptedTransferService()
        let made = configuration
        await (try Downloader(configuration: made)).shutdown()
        try check(database: "standalone.sqlite", newestKnown: 1, in: folder.path) {
            _ = try Downloader(configuration: made)
        }
    }
}
