import BackgroundWork
import BackgroundWorkArchive
import BackgroundWorkFiles
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkBuiltIns

@Suite struct FileExtractionWorkerTests {
    private static func input(_ json: String) throws -> FileExtractionConfiguration {
        try JSONCoding.value(FileExtractionConfiguration.self, from: json)
    }

    @Test("input is read: defaults, null, names in any case, paths of earlier steps")
    func decoding() throws {
        let plain = try Self.input(#"{"inputPath":"/a.zip","outputPath":"/b","more":1}"#)
        #expect(plain == FileExtractionConfiguration(inputPath: "/a.zip", outputPath: "/b"))
        let nulls =
            #"{"inputPath":"/a.zip","outputPath":"/b","onDuplicate":null,"links":null,"maxBytes":null,"maxRatio":null}"#
        #expect(try Self.input(nulls) == plain)
        #expect(try Self.input(#"{"filePath":"/a.zip","outputPath":"/b","onDuplicate":"refuse"}"#) == plain)
        let full = try Self.input(
            """
            {"inputPath":"/a.zip","outputPath":"/b","onDuplicate":"Rename","links":"skip","maxBytes":5,"maxEntries":6,\
            "maxRatio":7,"deleteOriginal":true}
            """)
        #expect(full.onDuplicate == .rename && full.links == .skip && full.deleteOriginal)
        #expect(full.maxBytes == 5 && full.maxEntries == 6 && full.maxRatio == 7)
        #expect(try Self.input(JSONCoding.text(of: full)) == full)
        for wrong in [#""onDuplicate":"ASK""#, #""links":"FOLLOW""#, #""maxBytes":"5""#, #""maxEntries":1.5"#] {
            #expect(throws: (any Error).self) { try Self.input(#"{"inputPath":"/a","outputPath":"/b",\#(wrong)}"#) }
        }
    }

    @Test("each rule refuses what breaks it, with the field's name")
    func rules() {
        func complaint(_ change: (inout FileExtractionConfiguration) -> Void) -> String {
            var input = FileExtractionConfiguration(inputPath: "/home/me/a.zip", outputPath: "/home/me/a")
            change(&input)
            do {
                try FileExtractionWorker.validate(input: input, under: .publicInternet)
                return "accepted"
            } catch { return (error as? WorkerInputError)?.reason ?? "another error" }
        }
        #expect(complaint { _ in } == "accepted")
        #expect(complaint { $0.inputPath = " " }.hasPrefix("\"inputPath\": it is blank"))
        #expect(complaint { $0.outputPath = "a" }.hasPrefix("\"outputPath\""))
        #expect(complaint { $0.outputPath = "/" }.contains("root of all folders"))
        #expect(complaint { $0.outputPath = "/etc/a" }.contains("it is in /etc"))
        #expect(complaint { $0.maxBytes = -1 }.hasPrefix("\"maxBytes\""))
        #expect(complaint { $0.maxEntries = 0 }.hasPrefix("\"maxEntries\""))
        #expect(complaint { $0.maxRatio = 0 }.hasPrefix("\"maxRatio\""))
    }

    /// Writes an archive with entries as they are given, whatever harm they do.
    private func write(_ entries: [(name: String, kind: ZipEntry.Kind, content: String)], _ place: ArchivePlace) throws
    {
        try FileManager.default.createDirectory(
            atPath: DurableFile.folder(of: place.archive), withIntermediateDirectories: true)
        let file = SystemFile.create(place.archive)
        defer { SystemFile.closeFile(file) }
        let writer = try ZipWriter(descriptor: file, path: place.archive, level: 6) { -1 }
        for entry in entries {
            try writer.add(
                ZipEntry(name: Array(entry.name.utf8), kind: entry.kind, mode: 0o644, modified: 1_600_000_000),
                content: Array(entry.content.utf8))
        }
        _ = try writer.finish()
    }

    @Test(
        "an archive that would write elsewhere is refused, and nothing is left",
        arguments: [
            "../evil", "a/../../evil", "/tmp/evil", "..\\evil", "C:\\evil", "C:/evil", "a/..", "evil\0.txt", "..",
        ])
    func zipSlip(name: String) async throws {
        let place = try ArchivePlace()
        try write([("good", .file, "x"), (name, .file, "evil")], place)
        let end = try await place.extract()
        #expect(end.outcome == .failed)
        #expect(end.message?.contains("The ZIP archive was refused: the entry") == true, "\(end.message ?? "")")
        #expect(place.folder.names == ["in", "made", "work"])
    }

    @Test("nothing is written through a link of the archive, whatever the order of the entries")
    func throughLinks() async throws {
        for entries: [(String, ZipEntry.Kind, String)] in [
            [("d", .link, "/tmp"), ("d/evil", .file, "x")],
            [("d", .link, "sub"), ("d/evil", .file, "x"), ("sub", .folder, "")],
            [("d/evil", .file, "x"), ("d", .link, "sub")],
            [("a", .link, "b"), ("a", .file, "x")],
        ] {
            let place = try ArchivePlace()
            try write(entries.map { (name: $0.0, kind: $0.1, content: $0.2) }, place)
            let end = try await place.extract()
            #expect(end.outcome == .failed, "\(entries)")
            #expect(place.folder.names == ["in", "made", "work"])
        }
    }

    @Test("links that stay inside are made, others refused, unless they are left out")
    func links() async throws {
        let place = try ArchivePlace()
        try write([("a/b", .file, "x"), ("a/l", .link, "b"), ("l", .link, "a/l")], place)
        #expect(try await place.extract().outcome == .succeeded)
        #expect(try place.tree(place.output)["l"] == "-> a/l")
        let refused = try await place.extract { $0.links = .refuse }
        #expect(refused.outcome == .failed && refused.message?.contains("set links to SKIP") == true)
        for target in ["..", "../x", "a/../..", "/etc/passwd", "x/../..", ""] {
            try write([("l", .link, target)], place)
            let end = try await place.extract { $0.outputPath += "2" }
            #expect(end.outcome == .failed && end.message?.contains("symbolic link") == true, "\(target)")
        }
    }

    @Test("names that collide are refused: twice, a file against a folder")
    func collisions() async throws {
        for entries: [(String, ZipEntry.Kind, String)] in [
            [("a", .file, "x"), ("a", .file, "y")], [("a", .file, "x"), ("./a", .file, "y")],
            [("a", .file, "x"), ("a/b", .file, "y")], [("a/b", .file, "x"), ("a", .file, "y")],
            [("a", .file, "x"), ("a", .folder, "")], [("a", .link, "b"), ("a", .link, "c")],
        ] {
            let place = try ArchivePlace()
            try write(entries.map { (name: $0.0, kind: $0.1, content: $0.2) }, place)
            let end = try await place.extract()
            #expect(end.outcome == .failed, "\(entries)")
            #expect(end.message?.contains("is that of another entry") == true, "\(end.message ?? "")")
            #expect(place.folder.names == ["in", "made", "work"])
        }
        // The same folder twice is one.
        let place = try ArchivePlace()
        try write([("a", .folder, ""), ("a/b", .file, "x"), ("a", .folder, ""), ("./", .folder, "")], place)
        #expect(try await place.extract().outcome == .succeeded)
    }

    @Test("a bomb is refused before anything is written, and a limit can be raised")
    func bomb() async throws {
        let place = try ArchivePlace()
        try place.add("zeros", Data(count: 20 << 20))
        _ = try await place.compress()
        let end = try await place.extract()
        #expect(end.outcome == .failed && end.message?.contains("maxRatio") == true, "\(end.message ?? "")")
        let small = try await place.extract { $0.maxBytes = 1_000 }
        #expect(small.message?.contains("maxBytes allows 1000") == true)
        let few = try await place.extract { $0.maxEntries = 1 }
        #expect(few.message?.contains("maxEntries allows 1") == true)
        #expect(try await place.extract { $0.maxRatio = 2_000 }.outcome == .succeeded)
        #expect(try place.tree(place.output + "/in") == place.tree(place.input))
    }

    @Test("into a folder that exists: names that are taken are refused, replaced, numbered or skipped")
    func existing() async throws {
        let place = try ArchivePlace()
        try write([("a", .file, "new"), ("sub/b", .file, "new"), ("new/c", .file, "new")], place)
        func prepare() throws {
            try? FileManager.default.removeItem(atPath: place.output)
            try FileManager.default.createDirectory(atPath: place.output + "/sub", withIntermediateDirectories: true)
            for name in ["a", "sub/b", "other"] {
                try Data("old".utf8).write(to: URL(filePath: place.output + "/" + name))
            }
        }
        func content(_ name: String) -> String? {
            try? String(contentsOfFile: place.output + "/" + name, encoding: .utf8)
        }
        try prepare()
        let refused = try await place.extract()
        #expect(refused.outcome == .failed && refused.message?.contains("already exists") == true)
        #expect(content("a") == "old" && content("new/c") == nil)
        let replaced = try await place.extract { $0.onDuplicate = .overwrite }
        #expect(replaced.outcome == .succeeded)
        #expect([content("a"), content("sub/b"), content("new/c"), content("other")] == ["new", "new", "new", "old"])
        try prepare()
        #expect(try await place.extract { $0.onDuplicate = .rename }.outcome == .succeeded)
        #expect([content("a"), content("a_1"), content("sub/b"), content("sub/b_1")] == ["old", "new", "old", "new"])
        try prepare()
        let skipped = try await place.extract { $0.onDuplicate = .skip }
        #expect(skipped.outcome == .succeeded && skipped.outputJSON?.contains(#""skipped":2"#) == true)
        #expect([content("a"), content("sub/b"), content("new/c")] == ["old", "old", "new"])
        #expect(try place.temporaries().isEmpty)
    }

    @Test("a file is not replaced by a folder, nor a folder by a file, and no link in the folder is followed")
    func existingTypes() async throws {
        let place = try ArchivePlace()
        try write([("x/y", .file, "new"), ("z", .file, "new")], place)
        let elsewhere = place.folder.path + "/elsewhere"
        for prepare: (String) throws -> Void in [
            { try Data().write(to: URL(filePath: $0 + "/x")) }, { symlink(elsewhere, $0 + "/x") },
            { mkdir($0 + "/z", 0o755) }, { mkfifo($0 + "/z", 0o644) },
        ] {
            try? FileManager.default.removeItem(atPath: place.output)
            mkdir(place.output, 0o755)
            mkdir(elsewhere, 0o755)
            try prepare(place.output)
            let before = try place.tree(place.output)
            let end = try await place.extract { $0.onDuplicate = .overwrite }
            #expect(end.outcome == .failed, "\(end.message ?? "")")
            #expect(try place.tree(place.output) == before)
            #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere).isEmpty)
            #expect(try place.temporaries().isEmpty)
        }
        // A link at a file's name is replaced, not written through.
        try? FileManager.default.removeItem(atPath: place.output)
        mkdir(place.output, 0o755)
        symlink(elsewhere + "/target", place.output + "/z")
        #expect(try await place.extract { $0.onDuplicate = .overwrite }.outcome == .succeeded)
        #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere).isEmpty)
    }

    @Test("what is not an archive is refused: a text, a folder, nothing, a damaged one, which leaves nothing")
    func notAnArchive() async throws {
        let place = try ArchivePlace()
        try place.add("a", ArchivePlace.text(100_000))
        #expect(try await place.extract { $0.inputPath = place.input + "/a" }.outcome == .failed)
        #expect(try await place.extract { $0.inputPath = place.input }.outcome == .failed)
        #expect(try await place.extract { $0.inputPath = place.input + "/none" }.outcome == .failed)
        _ = try await place.compress()
        var bytes = try Data(contentsOf: URL(filePath: place.archive))
        bytes[bytes.count / 2] ^= 0xff
        try bytes.write(to: URL(filePath: place.archive))
        let end = try await place.extract()
        #expect(end.outcome == .failed && end.message?.contains("damaged at the entry \"in/a\"") == true)
        #expect(place.folder.names == ["in", "made", "work"])
    }

    @Test("with deleteOriginal the archive is deleted after it is extracted, and not after a failure")
    func deletion() async throws {
        let place = try ArchivePlace()
        try place.add("a")
        _ = try await place.compress()
        _ = try await place.extract {
            $0.deleteOriginal = true
            $0.maxEntries = 1
        }
        #expect(FileManager.default.fileExists(atPath: place.archive))
        #expect(try await place.extract { $0.deleteOriginal = true }.outcome == .succeeded)
        #expect(!FileManager.default.fileExists(atPath: place.archive))
    }

    @Test("folders in each other, deeper than a path may be long, are compressed, deleted, extracted and removed")
    func deep() async throws {
        let place = try ArchivePlace()
        let cursor = try #require(try? FolderCursorMaker.make(place.input, depth: 1_100))
        #expect(cursor == 1_100)
        let output = try await place.compress { $0.deleteOriginal = true }
        #expect(output.entries == 1_101 && output.kept == 0)
        #expect(!FileManager.default.fileExists(atPath: place.input))
        let end = try await place.extract()
        #expect(end.outcome == .succeeded, "\(end.message ?? "")")
        // Foundation cannot remove so deep a folder.
        let root = SystemFile.openFolder(place.folder.path)
        defer { SystemFile.closeFile(root) }
        try TreeRemoval.remove(Array("out".utf8), in: root, path: place.output)
        #expect(!FileManager.default.fileExists(atPath: place.output))
    }

    @Test("names of 255 bytes, and such that only look like paths elsewhere")
    func names() async throws {
        let place = try ArchivePlace()
        for name in [String(repeating: "x", count: 255), "a:b", "con", " ", "-rf", "a\nb", "...", "a\\b"] {
            try place.add(name)
        }
        _ = try await place.compress()
        let end = try await place.extract()
        #expect(end.outcome == .succeeded, "\(end.message ?? "")")
        #expect(try place.tree(place.output + "/in").count == 8)
    }
}

/// Deep folders.
enum FolderCursorMaker {
    /// Returns how deep it is.
    static func make(_ path: String, depth: Int) throws -> Int {
        let root = SystemFile.openFolder(path)
        defer { SystemFile.closeFile(root) }
        let cursor = try FolderCursor(root: root, path: path)
        for _ in 0..<depth {
            guard SystemFile.makeFolder("deep", in: cursor.descriptor) else { break }
            try cursor.enter(Array("deep".utf8))
        }
        return cursor.depth
    }
}
