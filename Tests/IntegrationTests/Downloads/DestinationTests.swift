import BackgroundWork
import BackgroundWorkSystem
import BackgroundWorkTesting
import Foundation
import Testing

/// Where a downloaded file goes, and which targets are rejected.
@Suite(.serialized, .fewAtATime)
struct DestinationTests {
    static let content = HostDeathTests.content

    @Test("a missing folder is created")
    func missingFolder() async throws {
        let place = try Workplace(serving: Self.content)
        let path = place.folder.path + "/a/b/c/file.bin"
        let event = try await place.run(try place.download(to: path))
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(event?.message?.contains(path) == true)
        #expect(place.hasSaved(Self.content, at: path))
    }

    @Test("an existing file at savePath is replaced in one step")
    func overwrite() async throws {
        let place = try Workplace(serving: Self.content)
        let path = place.folder.path + "/file.bin"
        try Data("old".utf8).write(to: URL(filePath: path))
        let event = try await place.run(try place.download(to: path))
        #expect(event?.success == true)
        #expect(place.hasSaved(Self.content, at: path))
    }

    @Test("a savePath that is a folder, or ends as one, takes the file under the name at the end of its URL")
    func folders() async throws {
        let place = try Workplace(serving: Self.content)
        place.server.serve(.bytes(Self.content), at: "/a/named.bin")
        try FileManager.default.createDirectory(atPath: place.folder.path + "/there", withIntermediateDirectories: true)
        for path in [place.folder.path + "/there", place.folder.path + "/new/folder/"] {
            let event = try await place.run(try place.download("/a/named.bin", to: path))
            #expect(event?.success == true, "\(event?.message ?? "")")
            #expect(place.hasSaved(Self.content, at: path + "/named.bin"))
            #expect(event?.outputJSON?.contains("/named.bin\"") == true, "\(event?.outputJSON ?? "")")
        }
    }

    @Test("a savePath that is relative, or below a file, is rejected before any request")
    func unusablePaths() async throws {
        let place = try Workplace(serving: Self.content)
        let file = place.folder.path + "/plain"
        try Data().write(to: URL(filePath: file))
        let refused = try await place.refusal(of: try place.download(to: "relative/file.bin"))
        #expect(refused?.contains("\"savePath\"") == true && refused?.contains("absolute") == true, "\(refused ?? "")")
        let cases = [
            (file + "/", "not a folder"), (file + "/below.bin", "not a folder"),
        ]
        for (path, expected) in cases {
            let event = try await place.run(try place.download(to: path))
            #expect(event?.outcome == .failed)
            #expect(event?.message?.contains("savePath") == true, "\(event?.message ?? "")")
            #expect(event?.message?.contains(expected) == true, "\(event?.message ?? "")")
        }
        #expect(place.server.requests.isEmpty)
    }

    @Test(
        "a folder that cannot be written to is rejected before any request",
        .enabled(if: getuid() == 0, "mounting a volume needs root"))
    func notWritable() async throws {
        let place = try Workplace(serving: Self.content)
        let volume = try SmallVolume(at: place.folder.path + "/volume", kilobytes: 1024)
        defer { volume.unmount() }
        try volume.makeReadOnly()
        let event = try await place.run(try place.download(to: volume.path + "/file.bin"))
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains("\"savePath\"") == true, "\(event?.message ?? "")")
        #expect(event?.message?.contains(volume.path) == true, "\(event?.message ?? "")")
        #expect(place.server.requests.isEmpty)
    }

    @Test(
        "a target on another volume is copied, synchronized and renamed there",
        .enabled(if: getuid() == 0, "mounting a volume needs root"))
    func otherVolume() async throws {
        let place = try Workplace(serving: Self.content)
        let volume = try SmallVolume(at: place.folder.path + "/volume", kilobytes: 1024)
        defer { volume.unmount() }
        let path = volume.path + "/file.bin"
        let event = try await place.run(try place.download(to: path))
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(place.hasSaved(Self.content, at: path))
        try await place.wait(for: "the clean-up") { place.journal.isEmpty && place.leftovers.isEmpty }
    }
}
