import BackgroundWork
import BackgroundWorkTesting
import Foundation
import Testing

/// `bgwork transfers list` and `watch`, run as programs beside a host.
@Suite(.serialized, .fewAtATime)
struct TransfersListingTests {
    private static let content = Workplace.content(bytes: 400_000)

    /// A download that is half complete and waits for the server.
    private func held(_ place: Workplace) async throws -> WorkScheduler {
        place.server.serve(.bytes(Self.content), at: "/file")
        place.server.setBehaviours([.holdAfter(bytes: 200_000)], for: "/file")
        let scheduler = try place.scheduler()
        try await scheduler.start()
        try await scheduler.enqueue(place.download(), id: "film")
        try await place.wait(for: "half of the file") { (place.stagedBytes ?? 0) >= 200_000 }
        return scheduler
    }

    @Test("where there was never a transfer list says so, and starts no agent")
    func nothing() async throws {
        let place = try Workplace()
        let tool = CommandLineTool(place: place)
        let text = try await tool.transfers("list")
        #expect(text.status == 0)
        #expect(text.output == "no transfers\n")
        #expect(try await tool.transfers("list", "--json").output == "[]\n")
        #expect(try await tool.transfers("watch").output == "no transfers\n")
        #expect(!FileManager.default.fileExists(atPath: place.directory + "/agent"))
        #expect(!FileManager.default.fileExists(atPath: place.directory + "/work.sqlite"))
    }

    @Test("a folder that does not exist is an error and not an empty list", arguments: ["list", "watch", "settle"])
    func mistyped(command: String) async throws {
        let place = try Workplace()
        try FileManager.default.removeItem(atPath: place.directory)
        let result = try await CommandLineTool(place: place).transfers(command)
        #expect(result.status == 1)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("there is no folder \(place.directory)"), "\(result.errors)")
    }

    @Test("without --directory the user's folder for data is used, and made for the user alone")
    func defaultDirectory() async throws {
        let place = try Workplace()
        let result = try await CommandLineTool(place: place).start(["list"], inDirectory: false).result()
        #expect(result.output == "no transfers\n", "\(result.errors)")
        let attributes = try FileManager.default.attributesOfItem(
            atPath: place.folder.path + "/data/bgwork/transfers")
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)
    }

    @Test("a transfer in progress is listed in 80 columns and as JSON")
    func listed() async throws {
        let place = try Workplace()
        let scheduler = try await held(place)
        let tool = CommandLineTool(place: place)
        let text = try await tool.transfers("list")
        #expect(text.status == 0)
        #expect(text.lines.count == 2)
        #expect(text.lines.allSatisfy { $0.count <= 80 })
        for word in ["film", "down", "running", "/400.0 kB", "file.bin"] {
            #expect(text.lines.last?.contains(word) == true, "\(text.output)")
        }
        let json = try await tool.transfers("list", "--json")
        let array = try #require(
            try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]])
        #expect(array.map { $0["id"] as? String } == ["film"])
        #expect(array[0]["phase"] as? String == "running")
        #expect(array[0]["totalBytes"] as? Int == 400_000)
        #expect(array[0]["bytesPerSecond"] != nil)
        await scheduler.shutdown()
    }

    @Test("list takes no outcome from the host that waits for it")
    func noReceiver() async throws {
        let place = try Workplace()
        let scheduler = try await held(place)
        let events = scheduler.eventBus.events
        let tool = CommandLineTool(place: place)
        let watch = try tool.start(["watch"])
        try await place.wait(for: "the watch") { watch.output.contains("running") }
        place.server.release("/file")
        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next()?.success == true)
        #expect(place.hasSaved(Self.content))
        let result = try await watch.result()
        #expect(result.status == 0)
        await scheduler.shutdown()
    }

    @Test("a watch without a terminal has a line for each change, and nothing that moves a cursor")
    func plainWatch() async throws {
        let place = try Workplace()
        let scheduler = try await held(place)
        let watch = try CommandLineTool(place: place).start(["watch"])
        try await place.wait(for: "the watch") { watch.output.contains("running") }
        try await scheduler.backgroundSessions.pause(id: "film")
        try await place.wait(for: "the pause") { watch.output.contains("paused") }
        try await scheduler.cancel(id: "film")
        let result = try await watch.result()
        #expect(result.status == 0)
        #expect(result.lines.last?.hasSuffix("gone") == true, "\(result.output)")
        #expect(!result.output.contains { $0.isASCII && $0 != "\n" && ($0.asciiValue ?? 32) < 32 })
        await scheduler.shutdown()
    }

    @Test("a watch as JSON has an object on each line")
    func jsonWatch() async throws {
        let place = try Workplace()
        let scheduler = try await held(place)
        let watch = try CommandLineTool(place: place).start(["watch", "--json"])
        try await place.wait(for: "the watch") { watch.output.contains("running") }
        place.server.release("/file")
        let result = try await watch.result()
        let objects = try result.lines.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(objects.allSatisfy { $0["id"] as? String == "film" && $0["phase"] is String })
        #expect(Set(objects.map { $0.keys.sorted() }).count == 1)
        await scheduler.shutdown()
    }
}
