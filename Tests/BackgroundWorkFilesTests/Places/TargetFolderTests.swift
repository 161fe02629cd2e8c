import BackgroundWorkFiles
import Foundation
import TestSupport
import Testing

@Suite("Folders in which files are put")
struct TargetFolderTests {
    private struct Refused: Error {}
    private let temporary: TemporaryFolder
    private let root: String

    init() throws {
        temporary = try TemporaryFolder()
        root = URL(filePath: temporary.path).resolvingSymlinksInPath().path
        for name in ["/in", "/out"] {
            try FileManager.default.createDirectory(atPath: root + name, withIntermediateDirectories: true)
        }
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: root + name, withDestinationPath: target)
    }

    private func put(_ text: String, at name: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: root + name))
        return root + name
    }

    private func text(_ name: String) -> String? { try? String(contentsOfFile: root + name, encoding: .utf8) }

    /// Opens a folder if it is really in `/in`.
    private func open(_ name: String, creating: Bool = true) throws -> TargetFolder {
        try TargetFolder(root + name, creating: creating) { path in
            guard path == root + "/in" || path.hasPrefix(root + "/in/") else { throw Refused() }
        }
    }

    @Test("links are followed to where the check allows, and what is missing is created there")
    func links() throws {
        try link("/door", to: root + "/in")
        try link("/in/relative", to: ".")
        let folder = try open("/door/relative/new/er")
        try folder.take(put("content", at: "/staged"), as: "file")
        #expect(text("/in/new/er/file") == "content")
    }

    @Test("a link that leads out is refused, and no folder is created behind it")
    func linkOut() throws {
        try link("/in/door", to: root + "/out")
        try link("/in/up", to: "..")
        for name in ["/in/door", "/in/door/new", "/in/up/out/new", "/out/new"] {
            #expect(throws: Refused.self) { try open(name) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: root + "/out").isEmpty)
    }

    @Test("a folder that is exchanged for a link after it was opened still gets the file")
    func exchanged() throws {
        let folder = try open("/in/sub")
        try FileManager.default.moveItem(atPath: root + "/in/sub", toPath: root + "/in/former")
        try link("/in/sub", to: root + "/out")
        try folder.take(put("content", at: "/staged"), as: "a")
        try folder.copy(put("copied", at: "/staged"), as: "b", mode: .standard(0o644))
        #expect(text("/in/former/a") == "content" && text("/in/former/b") == "copied")
        #expect(try FileManager.default.contentsOfDirectory(atPath: root + "/out").isEmpty)
    }

    @Test("a link that appears between the check and the opening is resolved and checked again")
    func race() throws {
        try FileManager.default.createDirectory(atPath: root + "/in/sub", withIntermediateDirectories: true)
        var checked: [String] = []
        #expect(throws: Refused.self) {
            try TargetFolder(root + "/in/sub", creating: true) { path in
                checked.append(path)
                guard path.hasPrefix(root + "/in/") else { throw Refused() }
                try FileManager.default.removeItem(atPath: root + "/in/sub")
                try link("/in/sub", to: root + "/out")
            }
        }
        #expect(checked == [root + "/in/sub", root + "/out"])
    }

    @Test("a name that has appeared as a link in a folder that is to be created is not followed")
    func createdRace() throws {
        #expect(throws: (any Error).self) {
            try TargetFolder(root + "/in/new/er", creating: true) { path in
                guard path.hasPrefix(root + "/in/") else { throw Refused() }
                try? link("/in/new", to: root + "/out")
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: root + "/out").isEmpty)
    }

    @Test("a copy never writes through what has its name already")
    func copyOverLink() throws {
        let victim = try put("keep", at: "/out/victim")
        try link("/in/.name", to: victim)
        let folder = try open("/in")
        try folder.copy(put("copied", at: "/staged"), as: ".name", mode: .standard(0o640))
        #expect(text("/out/victim") == "keep")
        #expect(text("/in/.name") == "copied")
        #expect(SystemFile.mode(of: root + "/in/.name") == 0o640)
    }

    @Test("a rename replaces a link, not what it leads to")
    func renameOverLink() throws {
        let victim = try put("keep", at: "/out/victim")
        try link("/in/file", to: victim)
        let folder = try open("/in")
        try folder.take(put("content", at: "/staged"), as: "temporary")
        try folder.rename("temporary", to: "file")
        #expect(text("/out/victim") == "keep" && text("/in/file") == "content")
    }

    @Test("a link under the name of a temporary file is not taken for that file")
    func plantedLink() throws {
        try link("/in/.temporary", to: put("secret", at: "/out/secret"))
        let folder = try open("/in")
        #expect(throws: FileError.self) { try folder.requireFile(at: ".temporary") }
        try folder.requireFile(at: "missing")
    }

    @Test("a missing folder is an error unless it is to be created")
    func missing() throws {
        let error = #expect(throws: FileError.self) { try open("/in/missing", creating: false) }
        #expect(error?.code == FileError.missing("").code)
        #expect(!FileManager.default.fileExists(atPath: root + "/in/missing"))
    }

    @Test("a file is opened for reading where its path leads, if that is allowed")
    func reading() throws {
        func read(_ name: String) throws -> Int32 {
            try LinkFreePath.openForReading(root + name) { path in
                guard path.hasPrefix(root + "/in/") else { throw Refused() }
            }
        }
        try link("/door", to: put("content", at: "/in/file"))
        try link("/in/out", to: put("secret", at: "/out/secret"))
        let descriptor = try read("/door")
        #expect(FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).availableData == Data("content".utf8))
        #expect(throws: Refused.self) { try read("/in/out") }
        #expect(throws: FileError.self) { try read("/in/missing") }
    }
}
