import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkStorage

struct DatabaseFileTests {
    @Test("a database that the system lets nobody open is not taken for damaged: it stays, and opens later")
    func withheld() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.sqlite"
        func connect() throws -> (connection: SQLiteConnection, setAside: String?) {
            try DatabaseFile(path: path).open(at: Date()) { try SQLiteConnection(path: path, mode: .readWriteCreate) }
        }
        try connect().connection.execute("CREATE TABLE a(b); INSERT INTO a VALUES(1)")
        let before = try Data(contentsOf: URL(filePath: path))
        do {
            let withheld = WithheldDatabase(path)
            let error = #expect(throws: SQLiteError.self) { _ = try connect() }
            #expect(error?.isNotPermitted == true && error?.isDamage == false, "\(String(describing: error))")
            withExtendedLifetime(withheld) {}
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
        #expect(folder.names.filter { $0.contains("corrupt") }.isEmpty)
        let (connection, setAside) = try connect()
        #expect(setAside == nil)
        #expect(try connection.first("SELECT b FROM a") { $0.int(0) } == 1)
    }
}
