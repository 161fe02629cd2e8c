import BackgroundWorkFiles
import BackgroundWorkModel
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkTransfers

@Suite("Moving a file whose volume is not mounted")
struct FileMoverTests {
    private let temporary: TemporaryFolder
    private let folder: String
    private let reference = TransferReference(store: "store", key: TransferKey(workID: "work", generation: 1))

    init() throws {
        temporary = try TemporaryFolder()
        folder = URL(filePath: temporary.path).resolvingSymlinksInPath().path
        // Where nothing is mounted any longer.
        try FileManager.default.createDirectory(atPath: folder + "/left", withIntermediateDirectories: true)
        try Data("content".utf8).write(to: URL(filePath: folder + "/staged"))
    }

    private var mover: FileMover { FileMover(ownFolder: folder) }

    @Test("the staged file stays, and no file or folder is created in the mount point")
    func bring() async throws {
        for target in ["/left/file.bin", "/left/sub/file.bin"] {
            await #expect(throws: VolumeGoneError.self) {
                try await mover.move(
                    folder + "/staged",
                    beside: MoveRequest(wanted: folder + target, mountPoint: folder + "/left"), of: reference)
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/left").isEmpty)
        #expect(try String(contentsOfFile: folder + "/staged", encoding: .utf8) == "content")
    }

    @Test("a staged file is for its user alone as long as it is staged, also when it could not be moved")
    func stagedMode() async throws {
        let staged = folder + "/staged"
        SystemFile.setMode(0o600, of: staged)
        try FileManager.default.createDirectory(atPath: folder + "/left/taken", withIntermediateDirectories: false)
        let wanted = MoveRequest(wanted: folder + "/left/taken", mode: 0o666)
        let identity = try #require(FileIdentity(path: staged))
        let move = wanted.move(temporary: staged, target: wanted.wanted, identity)
        try #require(move.isDirect)
        await #expect(throws: FileError.self) { try await mover.place(move) }
        #expect(SystemFile.mode(of: staged) == 0o600)
        let temporaryPath = FileMover.temporaryPath(for: folder + "/left/file", of: reference)
        try FileManager.default.createDirectory(atPath: temporaryPath, withIntermediateDirectories: false)
        await #expect(throws: FileError.self) {
            try await mover.move(
                staged, beside: MoveRequest(wanted: folder + "/left/file", mode: 0o666), of: reference)
        }
        #expect(SystemFile.mode(of: staged) == 0o600)
    }

    @Test(
        "the same when it is copied to another volume",
        .enabled(if: FileManager.default.isWritableFile(atPath: "/dev/shm")))
    func stagedModeAcrossVolumes() async throws {
        let staged = folder + "/staged"
        SystemFile.setMode(0o600, of: staged)
        let memory = try MemoryFolder()
        let wanted = MoveRequest(wanted: memory.path + "/file", mode: 0o666, allowedDirectories: ["/dev/shm"])
        let identity = try #require(FileIdentity(path: staged))
        let placement = try await mover.place(wanted.move(temporary: staged, target: wanted.wanted, identity))
        try #require(placement == .onOtherVolume)
        #expect(SystemFile.mode(of: staged) == 0o600)
        let move = try await mover.move(staged, beside: wanted, of: reference)
        #expect(SystemFile.mode(of: staged) == 0o600)
        #expect(SystemFile.mode(of: move.temporaryPath) == 0o666)
    }

    @Test("a file that was moved beside its target is not mistaken for one that was moved to it and removed")
    func place() async throws {
        var move = try await mover.move(
            folder + "/staged", beside: MoveRequest(wanted: folder + "/left/file.bin"), of: reference)
        #expect(move.mountPoint == nil)
        move.mountPoint = folder + "/left"
        try FileManager.default.removeItem(atPath: move.temporaryPath)
        await #expect(throws: VolumeGoneError.self) { try await mover.place(move) }
        move.mountPoint = nil
        #expect(try await mover.place(move) == .removedSince)
    }
}
