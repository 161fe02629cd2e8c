import BackgroundWorkModel
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkStorage

@Suite("Emptying the write-ahead log")
struct LogEmptyingTests {
    @Test("many deletions share one emptying, and later ones get another")
    func shared() {
        var plan = LogEmptying()
        #expect(!plan.isWanted)
        #expect(plan.want() == .seconds(1))
        #expect(plan.want() == nil)
        #expect(plan.isWanted)
        plan.begin()
        #expect(plan.ended(isEmpty: true) == nil)
        #expect(!plan.isWanted)
        #expect(plan.want() == .seconds(1))
    }

    @Test("what is prevented is tried again, at growing intervals, and not more often for further deletions")
    func retried() {
        var plan = LogEmptying()
        _ = plan.want()
        var waits: [Duration] = []
        for _ in 0..<8 {
            plan.begin()
            plan.ended(isEmpty: false).map { waits.append($0) }
            #expect(plan.want() == nil)
        }
        #expect(waits == [2, 4, 8, 16, 32, 60, 60, 60].map { .seconds($0) })
        plan.begin()
        #expect(plan.ended(isEmpty: true) == nil)
        #expect(plan.want() == .seconds(1))
    }

    @Test("a reader prevents it without a wait, and does not when it has ended")
    func reader() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/db"
        let writer = try SQLiteConnection(path: path, mode: .readWriteCreate)
        try writer.execute("CREATE TABLE t (a TEXT)")
        let reader = try SQLiteConnection(path: path, mode: .readOnly)
        try reader.transaction(.deferred) {
            try reader.rows("SELECT a FROM t") { _ in }
            try writer.run("INSERT INTO t VALUES (?)", .text("Zq7"))
            #expect(try !writer.emptyLog())
            #expect(LogEmptying.isLeft(byLogOf: path))
        }
        #expect(try writer.emptyLog())
        #expect(!LogEmptying.isLeft(byLogOf: path))
        // It waits for other writers again.
        #expect(try writer.first("PRAGMA busy_timeout") { $0.int(0) } == 10_000)
    }

    @Test("a connection that writes overwrites what it deletes")
    func overwriting() throws {
        let folder = try TemporaryFolder()
        let connection = try SQLiteConnection(path: folder.path + "/db", mode: .readWriteCreate)
        #expect(try connection.first("PRAGMA secure_delete") { $0.int(0) } == 1)
    }
}
