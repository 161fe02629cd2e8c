import BackgroundWorkModel
import BackgroundWorkStorage
import Foundation
import TestSupport
import Testing

@testable import BackgroundWork

/// What a scheduler notes of its runs, and others of their stops.
struct RunNotesTests {
    let folder: TemporaryFolder
    var path: String { folder.path + "/a.lock" }

    init() throws {
        folder = try TemporaryFolder()
        _ = FileManager.default.createFile(atPath: path, contents: nil)
    }

    @Test("a started run is read by another owner, in any cell, and a new start replaces an old one")
    func begun() throws {
        let notes = try #require(RunNotes(path: path))
        func stamp(_ number: Int64) -> RunStamp {
            RunStamp(sequence: number, claimedAt: WallTime(milliseconds: number * 7))
        }
        for (number, cell) in [(11, 0), (12, 1), (13, 5000), (14, 0)] { notes.begin(stamp(Int64(number)), in: cell) }
        #expect(RunNotes.read(path: path) == Set([12, 13, 14].map(stamp)))
    }

    @Test("a file without notes, or with invalid ones, gives no information")
    func nothing() throws {
        #expect(RunNotes.read(path: path) == nil)
        #expect(RunNotes.read(path: folder.path + "/none.lock") == nil)
        try Data(repeating: 7, count: 100).write(to: URL(filePath: path))
        #expect(RunNotes.read(path: path) == nil)
    }

    @Test("a stop of another is seen until it has been read, and one that comes meanwhile is not lost")
    func stops() throws {
        let notes = try #require(RunNotes(path: path))
        #expect(!notes.hasUnreadStops)
        RunNotes.markStop(path: path)
        #expect(notes.hasUnreadStops)
        let mark = notes.stopMark
        RunNotes.markStop(path: path)
        notes.stopsAreRead(upTo: mark)
        #expect(notes.hasUnreadStops)
        notes.stopsAreRead(upTo: notes.stopMark)
        #expect(!notes.hasUnreadStops)
    }
}
