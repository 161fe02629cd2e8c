import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkFiles

struct FileWatcherOverflowTests {
    @Test("a change whose event overflowed the system's queue is reported nevertheless")
    func overflow() async throws {
        let folder = try TemporaryFolder()
        let names = ["one", "two", "late"].map { folder.path + "/" + $0 }
        for name in names { try Data().write(to: URL(filePath: name)) }
        let (told, continuation) = AsyncStream.makeStream(of: String.self)
        let mayGoOn = DispatchSemaphore(value: 0)
        let calls = Recorder<String>()
        let watcher = try FileWatcher(
            changed: { path in
                continuation.yield(path)
                guard calls.values.isEmpty else { return }
                // During this call nothing is read.
                calls.add(path)
                mayGoOn.wait()
            }, problem: { continuation.yield("problem: \($0)") })
        await watcher.watch(Set(names))
        let handles = try names.map { try FileHandle(forWritingTo: URL(filePath: $0)) }
        try handles[0].write(contentsOf: Data([1]))
        var paths = told.makeAsyncIterator()
        #expect(await paths.next() == names[0])
        let limit = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
        // Equal events in a row are stored as one, so they take turns.
        for index in 0...(try #require(Int(limit.trimmingCharacters(in: .whitespacesAndNewlines)))) {
            try handles[index % 2].write(contentsOf: Data([1]))
        }
        try handles[2].write(contentsOf: Data([1]))
        mayGoOn.signal()
        while let path = await paths.next(), path != names[2] { #expect(names.contains(path)) }
        watcher.stop()
    }
}
