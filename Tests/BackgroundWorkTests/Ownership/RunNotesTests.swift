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
        #expect(RunNotes.read(path: path) == OwnerEnd(.killed, .init(Set([12, 13, 14].map(stamp)))))
    }

    @Test("work that must not run twice is noted before its worker is called, and again when it is")
    func called() throws {
        let notes = try #require(RunNotes(path: path))
        let (one, two) = (
            RunStamp(sequence: 1, claimedAt: WallTime(milliseconds: 0)),
            RunStamp(sequence: 2, claimedAt: WallTime(milliseconds: 0))
        )
        notes.begin(one, isCalled: false, in: 0)
        notes.begin(two, isCalled: false, in: 1)
        #expect(RunNotes.read(path: path).runs == .init([one, two], notCalled: [one, two]))
        notes.workerIsCalled(two, in: 1)
        #expect(RunNotes.read(path: path).runs == .init([one, two], notCalled: [one]))
    }

    @Test("an exit is noted beside the runs, and also when these are not known")
    func exit() throws {
        let notes = try #require(RunNotes(path: path))
        let stamp = RunStamp(sequence: 1, claimedAt: WallTime(milliseconds: 0))
        notes.begin(stamp, in: 0)
        notes.markExit()
        #expect(RunNotes.read(path: path) == OwnerEnd(.exited, .init([stamp])))
        // As after a start that could not be written.
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.write(contentsOf: Data(repeating: 0, count: 8))
        #expect(RunNotes.read(path: path) == OwnerEnd(.exited, nil))
    }

    @Test("a file without notes, or with invalid ones, gives no information")
    func nothing() throws {
        let nothing = OwnerEnd(.killed, nil)
        #expect(RunNotes.read(path: path) == nothing)
        #expect(RunNotes.read(path: folder.path + "/none.lock") == nothing)
        try Data(repeating: 7, count: 100).write(to: URL(filePath: path))
        #expect(RunNotes.read(path: path) == nothing)
    }

    @Test("notes with an impossible number are read")
    func impossible() throws {
        let notes = try #require(RunNotes(path: path))
        notes.begin(RunStamp(sequence: .min, claimedAt: WallTime(milliseconds: 0)), in: 0)
        #expect(RunNotes.read(path: path).runs?.started.count == 1)
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
