import BackgroundWorkFiles
import BackgroundWorkModel
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkTransfers

@Suite("Where and how a finished file is put")
struct PlacementRulesTests {
    private let temporary: TemporaryFolder
    private let root: String
    private let reference = TransferReference(store: "store", key: TransferKey(workID: "work", generation: 1))

    init() throws {
        temporary = try TemporaryFolder()
        root = URL(filePath: temporary.path).resolvingSymlinksInPath().path
        for name in ["/own", "/in", "/out"] {
            try FileManager.default.createDirectory(atPath: root + name, withIntermediateDirectories: true)
        }
        try Data("content".utf8).write(to: URL(filePath: staged))
        SystemFile.setMode(0o600, of: staged)
    }

    private var staged: String { root + "/own/1.part" }
    private var mover: FileMover { FileMover(ownFolder: root + "/own") }

    private func text(_ name: String) -> String? { try? String(contentsOfFile: root + name, encoding: .utf8) }

    /// Moves the staged file in one way or the other.
    private func place(_ request: MoveRequest, directly: Bool) async throws -> FileMover.Placement {
        let move =
            directly
            ? try #require(FileMover.directMove(staged, for: request))
            : try await mover.move(staged, beside: request, of: reference)
        return try await mover.place(move)
    }

    @Test("with allowed folders, a link that leads out is refused, and the file stays", arguments: [false, true])
    func linkOut(directly: Bool) async throws {
        try FileManager.default.createSymbolicLink(atPath: root + "/in/door", withDestinationPath: root + "/out")
        for target in ["/in/door/file", "/in/door/new/file", "/out/file"] {
            let request = MoveRequest(wanted: root + target, allowedDirectories: [root + "/in"])
            await #expect(throws: RefusedPathError.self) { try await place(request, directly: directly) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: root + "/out").isEmpty)
        #expect(text("/own/1.part") == "content")
    }

    @Test("a link that comes between the two steps of a move is refused as well")
    func linkBetween() async throws {
        let request = MoveRequest(wanted: root + "/in/sub/file", allowedDirectories: [root + "/in"])
        let move = try await mover.move(staged, beside: request, of: reference)
        try FileManager.default.moveItem(atPath: root + "/in/sub", toPath: root + "/out/sub")
        try FileManager.default.createSymbolicLink(atPath: root + "/in/sub", withDestinationPath: root + "/out/sub")
        await #expect(throws: RefusedPathError.self) { try await mover.place(move) }
        #expect(text("/out/sub/file") == nil)
    }

    @Test("without allowed folders, a user's links lead on; the last name is never followed", arguments: [false, true])
    func ownLinks(directly: Bool) async throws {
        try FileManager.default.createSymbolicLink(atPath: root + "/home", withDestinationPath: root + "/in")
        try Data("keep".utf8).write(to: URL(filePath: root + "/out/victim"))
        try FileManager.default.createSymbolicLink(
            atPath: root + "/in/file", withDestinationPath: root + "/out/victim")
        #expect(try await place(MoveRequest(wanted: root + "/home/file"), directly: directly) == .moved)
        #expect(text("/in/file") == "content" && text("/out/victim") == "keep")
    }

    @Test("an allowed folder may be reached by a link, in the policy and in the path", arguments: [false, true])
    func linkedDirectory(directly: Bool) async throws {
        try FileManager.default.createSymbolicLink(atPath: root + "/home", withDestinationPath: root + "/in")
        let request = MoveRequest(wanted: root + "/home/file", allowedDirectories: [root + "/home"])
        #expect(try await place(request, directly: directly) == .moved)
        #expect(text("/in/file") == "content")
    }

    @Test(
        "a link into a system folder is refused under every policy",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc")))
    func systemFolder() async throws {
        try FileManager.default.createSymbolicLink(atPath: root + "/in/door", withDestinationPath: "/proc/self")
        try FileManager.default.createSymbolicLink(atPath: root + "/in/dev", withDestinationPath: "/dev")
        for target in ["/in/door/file", "/in/dev/file", "/in/dev/shm/file"] {
            let error = await #expect(throws: RefusedPathError.self) {
                try await place(MoveRequest(wanted: root + target), directly: true)
            }
            #expect(error?.description.contains("which leads to /") == true, "\(error?.description ?? "")")
        }
    }

    @Test(
        "in a folder where everybody may write, a planted name is neither followed nor taken for the file",
        arguments: [FileMove.Collision.replace, .nextName, .discard])
    func hostileFolder(collision: FileMove.Collision) async throws {
        try Data("keep".utf8).write(to: URL(filePath: root + "/out/victim"))
        SystemFile.setMode(0o777, of: root + "/in")
        let request = MoveRequest(wanted: root + "/in/file", collision: collision)
        let planted = FileMover.temporaryPath(for: request.wanted, of: reference)
        try FileManager.default.createSymbolicLink(atPath: planted, withDestinationPath: root + "/out/victim")
        let move = try await mover.move(staged, beside: request, of: reference)
        #expect(text("/out/victim") == "keep")
        // And once more, before the last step.
        try FileManager.default.removeItem(atPath: planted)
        try FileManager.default.createSymbolicLink(atPath: planted, withDestinationPath: root + "/out/victim")
        await #expect(throws: FileError.self) { try await mover.place(move) }
        #expect(text("/in/file") == nil)
        #expect(text("/out/victim") == "keep")
    }

    @Test(
        "the file has its permissions when it gets its name", arguments: [false, true],
        [nil, 0o640, 0o604] as [UInt16?])
    func mode(directly: Bool, bits: UInt16?) async throws {
        let request = MoveRequest(wanted: root + "/in/file", mode: bits)
        #expect(try await place(request, directly: directly) == .moved)
        try Data().write(to: URL(filePath: root + "/in/new"))
        #expect(SystemFile.mode(of: root + "/in/file") == bits ?? SystemFile.mode(of: root + "/in/new"))
    }

    @Test("in a two-step move the temporary file beside the target has its permissions already")
    func temporaryMode() async throws {
        let move = try await mover.move(
            staged, beside: MoveRequest(wanted: root + "/in/file", mode: 0o604), of: reference)
        #expect(SystemFile.mode(of: move.temporaryPath) == 0o604)
    }
}
