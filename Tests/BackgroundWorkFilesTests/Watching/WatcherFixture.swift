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
        waitUntilWritten(name)
    }

    func append(_ text: String, to name: String) throws {
        let handle = try FileHandle(forWritingTo: URL(filePath: path(name)))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
        waitUntilWritten(name)
    }

    #if os(Linux)
    /// F_SETLEASE, which Swift does not import.
    private static let setLease: Int32 = 1024
    #endif

    /// Returns when no process has the file open for writing.
    ///
    /// A child that another test starts at this moment has a copy of every descriptor until its own program begins. So the
    /// last close, which is an event, may come later than the one here. While a file is open for writing nobody gets a
    /// read lease on it (fcntl(2), F_SETLEASE).
    private func waitUntilWritten(_ name: String) {
        #if os(Linux)
        let descriptor = open(path(name), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        while fcntl(descriptor, Self.setLease, F_RDLCK) != 0, errno == EAGAIN { usleep(100) }
        _ = fcntl(descriptor, Self.setLease, F_UNLCK)
        #endif
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
        guard Foundation.rename(path(name), path(other)) == 0 else { throw CocoaError(.fileWriteUnknown) }
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
