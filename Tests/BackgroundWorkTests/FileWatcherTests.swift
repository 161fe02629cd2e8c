import Foundation
import TestSupport
import Testing

@testable import BackgroundWork

/// Against the real kernel: each test changes files and waits to be told.
struct FileWatcherTests {
    let folder: TemporaryFolder
    let watcher: FileWatcher
    let changes: AsyncStream<String>

    init() throws {
        folder = try TemporaryFolder()
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        changes = stream
        watcher = FileWatcher(changed: { continuation.yield($0) }, problem: { Issue.record("\($0)") })
    }

    func path(_ name: String) -> String { folder.path + "/" + name }

    func write(_ text: String, to name: String) throws { try Data(text.utf8).write(to: URL(filePath: path(name))) }

    /// The next path that is told of.
    func next() async -> String? { await changes.first { _ in true } }

    /// What is told until a change of a path that is watched for this alone.
    func told(before marker: String) async throws -> Set<String> {
        try write("\(Date())", to: marker)
        var told: Set<String> = []
        for await change in changes {
            if change == path(marker) { break }
            told.insert(change)
        }
        return told
    }

    @Test("a file that is written, replaced, deleted and made again is told of each time")
    func file() async throws {
        try write("1", to: "a")
        await watcher.watch([path("a")])
        let handle = try FileHandle(forWritingTo: URL(filePath: path("a")))
        try handle.write(contentsOf: Data("22".utf8))
        #expect(await next() == path("a"))
        try handle.close()
        try write("3", to: "b")
        #expect(rename(path("b"), path("a")) == 0)
        #expect(await next() == path("a"))
        try FileManager.default.removeItem(atPath: path("a"))
        #expect(await next() == path("a"))
        try write("4", to: "a")
        #expect(await next() == path("a"))
    }

    @Test("a path whose folders do not exist yet is told of when it comes")
    func later() async throws {
        let deep = "x/y/z"
        await watcher.watch([path(deep)])
        try FileManager.default.createDirectory(atPath: path("x/y"), withIntermediateDirectories: true)
        try write("1", to: deep)
        #expect(await next() == path(deep))
        try FileManager.default.removeItem(atPath: path("x"))
        #expect(await next() == path(deep))
        try FileManager.default.createDirectory(atPath: path("x/y"), withIntermediateDirectories: true)
        try write("2", to: deep)
        #expect(await next() == path(deep))
    }

    @Test("a folder is told of when an entry comes, changes or goes, with or without a slash at its end")
    func entries() async throws {
        try FileManager.default.createDirectory(atPath: path("d"), withIntermediateDirectories: true)
        await watcher.watch([path("d/")])
        try write("1", to: "d/e")
        #expect(await next() == path("d/"))
        try FileManager.default.removeItem(atPath: path("d/e"))
        #expect(await next() == path("d/"))
    }

    @Test("only the watched files of a folder are told of, and none that is not watched any more")
    func only() async throws {
        for name in ["a", "b", "c", "marker"] { try write("1", to: name) }
        await watcher.watch([path("a"), path("b"), path("marker")])
        try write("2", to: "a")
        try write("2", to: "b")
        try write("2", to: "c")
        #expect(try await told(before: "marker") == [path("a"), path("b")])
        await watcher.watch([path("b"), path("marker")])
        // What the marker's own second event left over.
        _ = try await told(before: "marker")
        try write("3", to: "a")
        #expect(try await told(before: "marker").isSubset(of: [path("b")]))
    }
}
