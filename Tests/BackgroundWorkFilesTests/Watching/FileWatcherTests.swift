import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkFiles

struct FileWatcherTests {
    private let fixture: WatcherFixture

    init() throws { fixture = try WatcherFixture() }

    @Test("a write or an append to a watched file is reported, and one to another file is not")
    func content() async throws {
        try fixture.write("1", to: "file")
        try fixture.write("1", to: "other")
        await fixture.watch("file")
        try fixture.append("2", to: "file")
        #expect(try await fixture.changes() == ["file"])
        try fixture.append("2", to: "other")
        #expect(try await fixture.changes() == [])
    }

    @Test("reading a file and changing its permissions is not reported")
    func attributes() async throws {
        try fixture.write("1", to: "file")
        await fixture.watch("file")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: fixture.path("file"))
        _ = try Data(contentsOf: URL(filePath: fixture.path("file")))
        #expect(try await fixture.changes() == [])
    }

    // Darwin's kqueue does not say what has changed, and the times are all that tells a write which leaves the length
    // as it was (`VnodeWatches`).
    #if !BACKGROUNDWORK_HAS_DARWIN
    @Test("changing a file's times is not reported")
    func times() async throws {
        try fixture.write("1", to: "file")
        await fixture.watch("file")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: fixture.path("file"))
        #expect(try await fixture.changes() == [])
    }
    #endif

    @Test("the replacement of a file is reported, and so are writes to the new one")
    func replacement() async throws {
        try fixture.write("1", to: "file")
        await fixture.watch("file")
        for _ in 0..<3 {
            try fixture.write("2", to: "new")
            #expect(try await fixture.changes() == [])
            try fixture.rename("new", to: "file")
            #expect(try await fixture.changes() == ["file"])
            try fixture.append("3", to: "file")
            #expect(try await fixture.changes() == ["file"])
        }
    }

    @Test("the deletion and the new creation of a file are both reported")
    func deletion() async throws {
        try fixture.write("1", to: "file")
        await fixture.watch("file")
        for _ in 0..<3 {
            try fixture.remove("file")
            #expect(try await fixture.changes() == ["file"])
            try fixture.write("1", to: "file")
            #expect(try await fixture.changes() == ["file"])
        }
    }

    @Test("a file is reported when it is created, although its folders are created after the watch")
    func missingFolders() async throws {
        await fixture.watch("a/b/file")
        for _ in 0..<3 {
            try fixture.createFolder("a")
            #expect(try await fixture.changes() == [])
            try fixture.createFolder("a/b")
            #expect(try await fixture.changes() == [])
            try fixture.write("1", to: "a/b/file")
            #expect(try await fixture.changes() == ["a/b/file"])
            try fixture.append("1", to: "a/b/file")
            #expect(try await fixture.changes() == ["a/b/file"])
            try fixture.remove("a")
            #expect(try await fixture.changes() == ["a/b/file"])
        }
        // All of it at once, faster than the watcher can follow.
        try FileManager.default.createDirectory(atPath: fixture.path("a/b"), withIntermediateDirectories: true)
        try fixture.write("1", to: "a/b/file")
        #expect(try await fixture.changes() == ["a/b/file"])
    }

    @Test("a folder above a file that is moved away takes the file with it")
    func movedFolder() async throws {
        try fixture.createFolder("a")
        try fixture.write("1", to: "a/file")
        await fixture.watch("a/file")
        try fixture.rename("a", to: "b")
        #expect(try await fixture.changes() == ["a/file"])
        try fixture.append("2", to: "b/file")
        #expect(try await fixture.changes() == [])
        try fixture.rename("b", to: "a")
        #expect(try await fixture.changes() == ["a/file"])
    }

    @Test("in a folder each created, removed or renamed entry counts; deeper ones do not")
    func entries() async throws {
        try fixture.createFolder("folder")
        await fixture.watch("folder")
        try fixture.write("1", to: "folder/entry")
        #expect(try await fixture.changes() == ["folder"])
        try fixture.rename("folder/entry", to: "folder/other")
        #expect(try await fixture.changes() == ["folder"])
        try fixture.remove("folder/other")
        #expect(try await fixture.changes() == ["folder"])
        try fixture.createFolder("folder/deeper")
        #expect(try await fixture.changes() == ["folder"])
        try fixture.write("1", to: "folder/deeper/entry")
        #expect(try await fixture.changes() == [])
        try fixture.remove("folder")
        #expect(try await fixture.changes() == ["folder"])
    }

    @Test("two files in one folder, and the folder itself, are told apart")
    func shared() async throws {
        try fixture.createFolder("folder")
        try fixture.write("1", to: "folder/one")
        try fixture.write("1", to: "folder/two")
        await fixture.watch("folder/one", "folder/two")
        try fixture.append("2", to: "folder/one")
        #expect(try await fixture.changes() == ["folder/one"])
        try fixture.remove("folder/two")
        #expect(try await fixture.changes() == ["folder/two"])
        await fixture.watch("folder/one", "folder")
        try fixture.remove("folder/one")
        #expect(try await fixture.changes() == ["folder/one", "folder"])
        await fixture.watch("folder/one")
        try fixture.write("1", to: "folder/three")
        #expect(try await fixture.changes() == [])
    }

    @Test("a write to a file is reported for both of its names")
    func hardLinks() async throws {
        try fixture.write("1", to: "one")
        try FileManager.default.linkItem(atPath: fixture.path("one"), toPath: fixture.path("two"))
        await fixture.watch("one", "two")
        try fixture.append("2", to: "two")
        #expect(try await fixture.changes() == ["one", "two"])
        try fixture.remove("one")
        #expect(try await fixture.changes() == ["one"])
        try fixture.append("2", to: "two")
        #expect(try await fixture.changes() == ["two"])
    }

    @Test("unwatched paths are no longer reported, and watched ones still are")
    func unwatching() async throws {
        try fixture.write("1", to: "one")
        try fixture.write("1", to: "two")
        await fixture.watch("one", "two")
        await fixture.watch("two")
        try fixture.append("2", to: "one")
        try fixture.remove("one")
        #expect(try await fixture.changes() == [])
        try fixture.append("2", to: "two")
        #expect(try await fixture.changes() == ["two"])
    }

    @Test("a change while the set of paths is replaced over and over is not missed")
    func noGap() async throws {
        try fixture.write("1", to: "file")
        for round in 0..<50 {
            await fixture.watch("file", "another-\(round)")
            try fixture.append("2", to: "file")
            await fixture.watch("file")
            #expect(try await fixture.changes() == ["file"])
        }
    }

    @Test("behind a link the file counts, and where the link points")
    func links() async throws {
        try fixture.write("1", to: "one")
        try fixture.write("2", to: "two")
        try fixture.link("link", to: "one")
        await fixture.watch("link")
        try fixture.append("2", to: "one")
        #expect(try await fixture.changes() == ["link"])
        try fixture.write("3", to: "new")
        try fixture.rename("new", to: "one")
        #expect(try await fixture.changes() == ["link"])
        try fixture.link("next", to: "two")
        try fixture.rename("next", to: "link")
        #expect(try await fixture.changes() == ["link"])
        try fixture.append("2", to: "one")
        #expect(try await fixture.changes() == [])
        try fixture.append("2", to: "two")
        #expect(try await fixture.changes() == ["link"])
    }

    @Test("circular and dangling links are handled like missing files")
    func linksToNothing() async throws {
        try fixture.link("circle", to: "circle")
        try fixture.link("dangling", to: "missing")
        await fixture.watch("circle", "dangling")
        try fixture.write("1", to: "missing")
        #expect(try await fixture.changes() == ["dangling"])
        try fixture.remove("circle")
        try fixture.write("1", to: "circle")
        #expect(try await fixture.changes() == ["circle"])
    }

    @Test("names with spaces, line breaks and other scripts are names", arguments: ["a b", "a\nb", "ä 中文 🗓", " "])
    func names(name: String) async throws {
        await fixture.watch(name)
        try fixture.write("1", to: name)
        #expect(try await fixture.changes() == [name])
        try fixture.append("1", to: name)
        #expect(try await fixture.changes() == [name])
    }

    @Test("a path is reported as it was given, in any spelling")
    func spelling() async throws {
        await fixture.watch("./x/..//file", "folder/")
        try fixture.createFolder("x")
        try fixture.write("1", to: "file")
        try fixture.createFolder("folder")
        #expect(try await fixture.changes() == ["./x/..//file", "folder/"])
    }

    @Test("many events at once lose no path")
    func burst() async throws {
        let names = (0..<300).map { "file-\($0)" }
        await fixture.watcher.watch(Set(names.map(fixture.path) + [fixture.path("marker")]))
        for name in names { try fixture.write("1", to: name) }
        #expect(try await fixture.changes() == Set(names))
    }

    @Test("a stopped watcher reports nothing, and accepts calls to watch")
    func stopped() async throws {
        let recorder = Recorder<String>()
        let watcher = try FileWatcher(changed: { recorder.add($0) }, problem: { recorder.add("\($0)") })
        await watcher.watch([fixture.path("file")])
        await fixture.watch("file")
        watcher.stop()
        try fixture.write("1", to: "file")
        #expect(try await fixture.changes() == ["file"])
        await watcher.watch([fixture.path("file")])
        #expect(recorder.values == [])
    }

    @Test("a problem's text says what to do")
    func advice() {
        #expect("\(FileWatchProblem.noWatchesLeft(path: "/a"))".contains("fs.inotify.max_user_watches"))
        #expect("\(FileWatchProblem.noWatcher(reason: "none"))".contains("fs.inotify.max_user_instances"))
    }
}
