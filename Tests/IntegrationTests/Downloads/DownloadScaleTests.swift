import BackgroundWork
import BackgroundWorkSystem
import BackgroundWorkTesting
import Foundation
import Testing

/// Very large files, and very many.
@Suite(.serialized, .fewAtATime)
struct DownloadScaleTests {
    @Test("a file of 5 GiB is resumed after 4 GiB")
    func fiveGibibytes() async throws {
        let place = try Workplace()
        let size: Int64 = 5 << 30
        let known = (5 << 30) - (8 << 20) as Int64
        let tail = Workplace.content(bytes: 8 << 20)
        let source = place.folder.path + "/large"
        try Self.makeSparse(source, size: size, tail: tail)
        place.server.serve(.file(path: source, entityTag: "\"large\""), at: "/file")
        place.server.setBehaviours([.holdAfter(bytes: 1 << 20), .correct], for: "/file")
        let scheduler = try place.scheduler()
        try await scheduler.start()
        try await scheduler.enqueue(try place.request { $0.connections = .single }, id: "large")
        try await place.wait(for: "the first bytes") { place.stagedBytes ?? 0 >= 1 << 20 }
        await scheduler.shutdown()
        try await place.killAgents()
        // The next agent finds that nearly all of it has arrived: zeros, as they are in the source.
        let staged = try #require(place.stagedFile)
        #expect(truncate(staged, Int(known)) == 0)
        let successor = try place.scheduler()
        var events = successor.eventBus.events.makeAsyncIterator()
        try await successor.start()
        let event = await events.next()
        #expect(event?.success == true, "\(event?.message ?? "")\n\(place.logs)")
        #expect(place.rangeStarts() == [0, known])
        let file = try FileHandle(forReadingFrom: URL(filePath: place.savePath))
        #expect(try file.seekToEnd() == UInt64(size))
        try file.seek(toOffset: UInt64(known))
        #expect(try file.readToEnd().map(Array.init) == tail)
        await successor.shutdown()
    }

    private static func makeSparse(_ path: String, size: Int64, tail: [UInt8]) throws {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.truncate(atOffset: UInt64(size))
        try file.seek(toOffset: UInt64(size) - UInt64(tail.count))
        try file.write(contentsOf: Data(tail))
        try file.close()
    }

    @Test("ten thousand downloads at once all finish, each with one event")
    func tenThousand() async throws {
        let count = 10_000
        let place = try Workplace()
        place.server.serve(.bytes(Workplace.content(bytes: 1000)), at: "/file")
        let scheduler = try place.scheduler { $0.maximumConcurrentWork = 64 }
        let stream = try await scheduler.eventBus.events(for: "test")
        try await scheduler.start()
        let submissions = try (0..<count).map { index in
            TaskSubmission(
                try place.request { $0.savePath = place.folder.path + "/downloads/\(index)" }, id: "\(index)")
        }
        try await scheduler.enqueue(contentsOf: submissions)
        var seen: Set<String> = []
        for await event in stream {
            #expect(event.success, "\(event.message ?? "")")
            #expect(seen.insert(event.workID).inserted)
            try await event.acknowledge()
            if seen.count == count { break }
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: place.folder.path + "/downloads")
        #expect(files.count == count)
        #expect(place.server.requests.count == count)
        await scheduler.shutdown()
        #expect(place.journal.isEmpty && place.stateEntries == 0)
    }
}
