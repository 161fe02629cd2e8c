import BackgroundWorkFiles
import Foundation
import TestSupport
import Testing

@Suite("The permissions of finished files")
struct CreationModeTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/file" }

    init() throws {
        folder = try TemporaryFolder()
        try Data("content".utf8).write(to: URL(filePath: path))
        SystemFile.setMode(0o600, of: path)
    }

    @Test(
        "those that are asked for are set, whatever the umask is",
        arguments: [0o640, 0o666, 0o777, 0o400, 0] as [UInt16])
    func exactly(bits: UInt16) throws {
        let mode = try CreationMode(bits, probing: folder.path)
        try mode.set(onFileAt: path)
        #expect(SystemFile.mode(of: path) == bits)
        // As after a crash: also where the owner may not open it any more.
        try mode.set(onFileAt: path)
        #expect(SystemFile.mode(of: path) == bits)
    }

    @Test("otherwise a file gets those of any new file, and finding them leaves nothing behind")
    func standard() throws {
        let new = folder.path + "/new"
        #expect(FileManager.default.createFile(atPath: new, contents: nil))
        try FileManager.default.removeItem(atPath: new)
        try Data().write(to: URL(filePath: new))
        try CreationMode(nil, probing: folder.path).set(onFileAt: path)
        #expect(SystemFile.mode(of: path) == SystemFile.mode(of: new))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["file", "new"])
    }

    @Test("a link is not followed, and what is not a file is an error")
    func notFiles() throws {
        let link = folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let mode = try CreationMode(0o644, probing: folder.path)
        #expect(throws: FileError.self) { try mode.set(onFileAt: link) }
        #expect(throws: FileError.self) { try mode.set(onFileAt: folder.path) }
        #expect(SystemFile.mode(of: path) == 0o600)
    }
}
