import BackgroundWork
import BackgroundWorkFiles
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkBuiltIns

@Suite struct FileCompressionWorkerTests {
    private static func input(_ json: String) throws -> FileCompressionConfiguration {
        try JSONCoding.value(FileCompressionConfiguration.self, from: json)
    }

    @Test("the ancestor's input is read: defaults, null, unknown fields, names in any case")
    func decoding() throws {
        let plain = try Self.input(#"{"inputPath":"/a","outputPath":"/b.zip","allowIosUncompressedFallback":true}"#)
        #expect(plain == FileCompressionConfiguration(inputPath: "/a", outputPath: "/b.zip"))
        #expect(plain.compressionLevel == .medium && !plain.deleteOriginal && plain.excludePatterns.isEmpty)
        let nulls = try Self.input(
            #"{"inputPath":"/a","outputPath":"/b.zip","compressionLevel":null,"excludePatterns":null,"deleteOriginal":null}"#
        )
        #expect(nulls == plain)
        let full = try Self.input(
            #"{"inputPath":"/a","outputPath":"/b.zip","compressionLevel":"HIGH","excludePatterns":["*.tmp"],"deleteOriginal":true}"#
        )
        #expect(full.compressionLevel == .high && full.deleteOriginal && full.excludePatterns == ["*.tmp"])
        #expect(try Self.input(JSONCoding.text(of: full)) == full)
        // From the outputs of earlier steps.
        #expect(try Self.input(#"{"savePath":"/s","outputPath":"/b.zip"}"#).inputPath == "/s")
        #expect(try Self.input(#"{"folderPath":"/f","outputPath":"/b.zip"}"#).inputPath == "/f")
        // Of doubled keys the last one counts.
        #expect(try Self.input(#"{"inputPath":"/a","inputPath":"/c","outputPath":"/b.zip"}"#).inputPath == "/c")
    }

    @Test(
        "input of the wrong type is refused",
        arguments: [
            #"{"outputPath":"/b.zip"}"#, #"{"inputPath":"/a"}"#, #"{"inputPath":1,"outputPath":"/b.zip"}"#,
            #"{"inputPath":"/a","outputPath":"/b.zip","compressionLevel":"best"}"#,
            #"{"inputPath":"/a","outputPath":"/b.zip","compressionLevel":6}"#,
            #"{"inputPath":"/a","outputPath":"/b.zip","excludePatterns":"*.tmp"}"#,
            #"{"inputPath":"/a","outputPath":"/b.zip","deleteOriginal":"yes"}"#, "[]", "7",
        ])
    func wrongTypes(json: String) { #expect(throws: (any Error).self) { try Self.input(json) } }

    @Test("each rule refuses what breaks it, with the field's name")
    func rules() {
        func complaint(
            policy: SecurityPolicy = .publicInternet, _ change: (inout FileCompressionConfiguration) -> Void
        ) -> String {
            var input = FileCompressionConfiguration(inputPath: "/home/me/a", outputPath: "/home/me/a.ZIP")
            change(&input)
            do {
                try FileCompressionWorker.validate(input: input, under: policy)
                return "accepted"
            } catch { return (error as? WorkerInputError)?.reason ?? "another error" }
        }
        #expect(complaint { _ in } == "accepted")
        #expect(complaint { $0.inputPath = "" }.hasPrefix("\"inputPath\": it is blank"))
        #expect(complaint { $0.inputPath = "a/b" }.contains("must be an absolute path"))
        #expect(complaint { $0.inputPath = "/home/me//a.ZIP" }.contains("\"outputPath\": it is inputPath"))
        #expect(complaint { $0.outputPath = "/etc/\n\u{202e}.zip" }.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f })
        #expect(complaint { $0.inputPath = "/a/../b" }.contains(".."))
        #expect(complaint { $0.inputPath = "//./" }.contains("root of all folders"))
        #expect(complaint { $0.inputPath = "/etc" }.hasPrefix("\"inputPath\": it is in /etc"))
        #expect(complaint { $0.outputPath = "/home/me/a.tar" } == "\"outputPath\": it must end in .zip")
        #expect(complaint { $0.outputPath = "/proc/a.zip" }.contains("it is in /proc"))
        #expect(complaint { $0.excludePatterns = ["a", ""] }.hasPrefix("\"excludePatterns\": it has a blank"))
        #expect(
            complaint { $0.excludePatterns = .init(repeating: "a", count: 1_001) }.contains("1001 patterns"))
        var policy = SecurityPolicy.publicInternet
        policy.allowedDirectories = ["/home/me"]
        #expect(complaint(policy: policy) { _ in } == "accepted")
        #expect(complaint(policy: policy) { $0.outputPath = "/tmp/a.zip" }.contains("outside of the folders"))
        #expect(complaint(policy: policy) { $0.inputPath = "/srv" }.contains("outside of the folders"))
        policy.allowedDirectories = ["/home/me/a", "/home/me/a.ZIP"]
        #expect(complaint(policy: policy) { $0.deleteOriginal = true }.hasPrefix("\"deleteOriginal\""))
    }

    @Test("a folder is compressed and extracted again: contents, permissions, times, links, empty folders")
    func roundTrip() async throws {
        let place = try ArchivePlace()
        try place.add("text.txt", ArchivePlace.text(300_000))
        try place.add("deep/er/ünï.bin", Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435 >> 7) }))
        try place.add("empty.txt", Data())
        try FileManager.default.createDirectory(atPath: place.input + "/empty", withIntermediateDirectories: true)
        symlink("../text.txt", place.input + "/deep/link")
        chmod(place.input + "/text.txt", 0o4750)
        chmod(place.input + "/deep", 0o700)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_234_567_890)], ofItemAtPath: place.input + "/text.txt")
        let output = try await place.compress()
        #expect(output.filePath == place.archive)
        #expect(output.entries == 8)
        #expect(output.bytesIn == 500_000)
        #expect(
            output.bytesOut
                == Int64(try FileManager.default.attributesOfItem(atPath: place.archive)[.size] as? Int ?? 0))
        let end = try await place.extract()
        #expect(end.outcome == .succeeded, "\(end.message ?? "")")
        #expect(try place.tree(place.output + "/in") == place.tree(place.input))
        // Without set-user-ID.
        #expect(SystemFile.mode(of: place.output + "/in/text.txt") == 0o750)
        #expect(SystemFile.status(of: place.output + "/in/text.txt")?.writtenNs == 1_234_567_890_000_000_000)
        #expect(SystemFile.mode(of: place.output + "/in/deep") == 0o700)
        #expect(try place.temporaries().isEmpty)
    }

    @Test("a single file is compressed under its name")
    func file() async throws {
        let place = try ArchivePlace()
        try place.add("text.txt")
        let output = try await place.compress { $0.inputPath += "/text.txt" }
        #expect(output.entries == 1)
        #expect(try await place.extract().outcome == .succeeded)
        #expect(try place.tree(place.output).keys.sorted() == ["text.txt"])
    }

    @Test("what a pattern matches is left out, with all that is in such a folder")
    func patterns() async throws {
        let place = try ArchivePlace()
        for name in ["a.txt", "b.TMP", "cache/x", "sub/cache/y", "sub/c.tmp", "build/z", "sub/build/kept"] {
            try place.add(name)
        }
        let output = try await place.compress { $0.excludePatterns = ["*.tmp", "cache/", "/build"] }
        #expect(output.excluded == 5)
        #expect(try await place.extract().outcome == .succeeded)
        #expect(
            try place.tree(place.output + "/in").keys.sorted() == ["a.txt", "sub/", "sub/build/", "sub/build/kept"])
    }

    @Test("an archive in the folder that it is made of leaves itself out, also the one that it replaces")
    func itself() async throws {
        let place = try ArchivePlace()
        try place.add("a.txt")
        for _ in 0..<2 {
            let output = try await place.compress { $0.outputPath = place.input + "/self.zip" }
            #expect(output.entries == 2)
        }
        let end = try await place.extract { $0.inputPath = place.input + "/self.zip" }
        #expect(end.outcome == .succeeded)
        #expect(try place.tree(place.output + "/in").keys.sorted() == ["a.txt"])
    }

    @Test("links are stored as links: none is followed, and a loop does no harm")
    func links() async throws {
        let place = try ArchivePlace()
        try place.add("a/b")
        symlink("..", place.input + "/a/loop")
        symlink("/etc/passwd", place.input + "/outside")
        symlink("self", place.input + "/self")
        let output = try await place.compress()
        #expect(output.entries == 6)
        let refused = try await place.extract()
        #expect(refused.outcome == .failed)
        #expect(refused.message?.contains("is a symbolic link to \"/etc/passwd\"") == true)
        #expect(try !FileManager.default.fileExists(atPath: place.output) && place.temporaries().isEmpty)
        #expect(try await place.extract { $0.links = .skip }.outcome == .succeeded)
        #expect(try place.tree(place.output + "/in").keys.sorted() == ["a/", "a/b"])
    }

    @Test("pipes and sockets are skipped and counted; as the input itself they are refused")
    func specialFiles() async throws {
        let place = try ArchivePlace()
        try place.add("a")
        mkfifo(place.input + "/pipe", 0o644)
        #expect(try await place.compress().skipped == 1)
        var input = FileCompressionConfiguration(inputPath: place.input + "/pipe", outputPath: place.archive)
        let end = try await place.run(TaskRequest(FileCompressionWorker.self, input: input))
        #expect(end.outcome == .failed && end.message?.contains("is neither a file nor a folder") == true)
        input.inputPath = place.input + "/nothing"
        let missing = try await place.run(TaskRequest(FileCompressionWorker.self, input: input))
        #expect(missing.outcome == .failed && missing.message?.contains("/nothing") == true)
    }

    @Test("a folder or a pipe at the target is not replaced")
    func target() async throws {
        let place = try ArchivePlace()
        try place.add("a")
        try FileManager.default.createDirectory(atPath: place.archive, withIntermediateDirectories: true)
        let input = FileCompressionConfiguration(inputPath: place.input, outputPath: place.archive)
        let folder = try await place.run(TaskRequest(FileCompressionWorker.self, input: input))
        #expect(folder.outcome == .failed && folder.message?.contains("replace the folder") == true)
        rmdir(place.archive)
        mkfifo(place.archive, 0o644)
        let pipe = try await place.run(TaskRequest(FileCompressionWorker.self, input: input))
        #expect(pipe.outcome == .failed && pipe.message?.contains("a named pipe") == true)
        #expect(try place.temporaries().isEmpty)
    }

    @Test("with deleteOriginal, what is in the archive is deleted, and nothing else")
    func deletion() async throws {
        let place = try ArchivePlace()
        for name in ["a.txt", "sub/b.txt", "kept/c.tmp", "kept/d.txt"] { try place.add(name) }
        link(place.input + "/a.txt", place.input + "/sub/second-name")
        symlink("a.txt", place.input + "/link")
        let output = try await place.compress {
            $0.deleteOriginal = true
            $0.excludePatterns = ["*.tmp"]
        }
        // Both folders in which something is left.
        #expect(output.kept == 2)
        #expect(try place.tree(place.input).keys.sorted() == ["kept/", "kept/c.tmp"])
        #expect(try place.temporaries().isEmpty)
        #expect(try await place.extract().outcome == .succeeded)
        #expect(try place.tree(place.output + "/in").count == 7)
        // Then all of it.
        let all = try await place.compress { $0.deleteOriginal = true }
        #expect(all.kept == 0)
        #expect(!FileManager.default.fileExists(atPath: place.input))
    }

    @Test("files that others create, change and remove meanwhile do no harm")
    func changingFolder() async throws {
        let place = try ArchivePlace()
        for number in 0..<300 { try place.add("\(number % 7)/\(number)", ArchivePlace.text(20_000 + number)) }
        let path = place.input
        let changing = Task.detached {
            var number = 0
            while !Task.isCancelled {
                number += 1
                let file = path + "/\(number % 7)/\(number % 300)"
                switch number % 4 {
                case 0: try? FileManager.default.removeItem(atPath: file)
                case 1: try? ArchivePlace.text(number % 90_000).write(to: URL(filePath: file))
                case 2: truncate(file, off_t(number % 5_000))
                default: try? FileManager.default.removeItem(atPath: path + "/\(number % 7)")
                }
                mkdir(path + "/\(number % 7)", 0o755)
                await Task.yield()
            }
        }
        for _ in 0..<10 {
            _ = try await place.compress()
            // Every entry agrees with itself.
            let end = try await place.extract { $0.onDuplicate = .overwrite }
            #expect(end.outcome == .succeeded, "\(end.message ?? "")")
        }
        changing.cancel()
        await changing.value
        #expect(try place.temporaries().isEmpty)
    }
}
