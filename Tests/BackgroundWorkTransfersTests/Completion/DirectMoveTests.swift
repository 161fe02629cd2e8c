import BackgroundWorkFiles
import BackgroundWorkModel
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkTransfers

@Suite("Moving a file straight to its target")
struct DirectMoveTests {
    private let folder: TemporaryFolder
    private let reference = TransferReference(store: "store", key: TransferKey(workID: "work", generation: 1))

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/staging", withIntermediateDirectories: true)
        try Data("content".utf8).write(to: URL(filePath: staged))
    }

    private var staged: String { folder.path + "/staging/7.part" }
    private var target: String { folder.path + "/there/file.bin" }

    private func move(to target: String) throws -> FileMove {
        try #require(
            FileMover.directMove(
                staged, for: MoveRequest(wanted: target, allowedDirectories: [folder.path, "/dev/shm"])))
    }

    @Test("a moved file is recognized, also when its volume has another device number")
    func knownAgain() async throws {
        var move = try move(to: target)
        let mover = FileMover(ownFolder: folder.path)
        #expect(try await mover.place(move) == .moved)
        #expect(try await mover.place(move) == .moved)
        move.identity.device += 1
        #expect(try await mover.place(move) == .moved)
        try Data("something else".utf8).write(to: URL(filePath: target))
        #expect(try await mover.place(move) == .lost)
        try FileManager.default.removeItem(atPath: target)
        #expect(try await mover.place(move) == .lost)
    }

    private static let otherVolume = "/dev/shm"
    private static var hasOtherVolume: Bool {
        guard let here = FileIdentity(path: NSTemporaryDirectory()), let there = FileIdentity(path: otherVolume) else {
            return false
        }
        return here.device != there.device && FileManager.default.isWritableFile(atPath: otherVolume)
    }

    @Test("a copy on another volume that is no longer needed is deleted", .enabled(if: hasOtherVolume))
    func unwantedCopy() async throws {
        let there = "\(Self.otherVolume)/bgwork-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: there) }
        let completion = TransferCompletion(
            ledger: SettledLedger(),
            stateStore: TransferStateStore(directory: folder.path, clock: FrozenClock()) { Issue.record("\($0)") },
            service: try FolderTransferService(folder: folder.path + "/daemon"), clock: FrozenClock())
        try await completion.resume(try move(to: there + "/file.bin"), of: reference)
        #expect(try FileManager.default.contentsOfDirectory(atPath: there).isEmpty)
        #expect(FileManager.default.fileExists(atPath: staged))
    }
}

/// Of items that others have brought to their end meanwhile.
private struct SettledLedger: TransferLedger {
    func standing(
        for outcome: TransferOutcome, move: @escaping @Sendable () -> FileMove?
    ) async throws -> TransferStanding { .settled }
    func fileArrived(_ key: TransferKey, move: FileMove) async throws -> Bool { false }
    func fileRedirected(_ key: TransferKey, move: FileMove) async throws -> Bool { false }
    func fileMoved(_ key: TransferKey, message: String, outputJSON: String) async throws {}
    func transferSucceeded(_ key: TransferKey, message: String, outputJSON: String) async throws {}
    func transferFailed(_ key: TransferKey, failure: TransferFailure) async throws {}
}
