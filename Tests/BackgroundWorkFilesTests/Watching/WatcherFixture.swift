import Foundation
import TestSupport

@testable import BackgroundWorkFiles

/// A watcher on paths in its own folder, and what it reports.
final class WatcherFixture {
    let folder: TemporaryFolder
    let watcher: FileWatcher
    private var told: AsyncStream<String>.AsyncIterator
    private let marker: String
    private var rounds = 0

    init() throws {
        folder = try TemporaryFolder()
        marker = folder.path + "/marker"
        try FileManager.default.createDirectory(atPath: marker, withIntermediateDirectories: false)
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        watcher = try FileWatcher(
            changed: { continuation.yield($0) }, problem: { continuation.yield("problem: \($0)") })
        told = stream.makeAsyncIterator()
    }

    deinit { watcher.stop() }

    func path(_ name: String) -> String { folder.path + "/" + name }

    /// Watches these, and a marker.
    func watch(_ names: String...) async { await watcher.watch(Set(names.map(path) + [marker])) }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path(name)))
        WriteLease.waitUntilWritten(path(name))
    }

    func append(_ text: String, to name: String) throws {
        let handle = try FileHandle(forWritingTo: URL(filePath: path(name)))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
        WriteLease.waitUntilWritten(path(name))
    }

    func createFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: false)
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

    /// Like rename(2): a file at the new name is replaced.
    func rename(_ name: String, to other: String) throws {
        try DurableFile.renameOnly(path(name), to: path(other))
    }

    /// The names reported for the changes until now: the marker is changed last, and reported last.
    ///
    /// Events are told in the order in which they happened, or in one go; so a second marker is waited for, which
    /// cannot be in one go with the first.
    func changes() async throws -> Set<String> {
        var names: Set<String> = []
        for _ in 0..<2 {
            rounds += 1
            try createFolder("marker/\(rounds)")
            while let path = await told.next(), path != marker {
                names.insert(path.hasPrefix(folder.path + "/") ? String(path.dropFirst(folder.path.count + 1)) : path)
            }
        }
        return names
    }
}
