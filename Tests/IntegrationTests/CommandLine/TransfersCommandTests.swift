import BackgroundWork
import BackgroundWorkTesting
import Foundation
import Testing

/// `bgwork transfers add`, `pause`, `resume`, `cancel` and `settle`, run as programs.
@Suite(.serialized, .fewAtATime)
struct TransfersCommandTests {
    private static let content = Workplace.content(bytes: 400_000)

    private func add(_ place: Workplace, _ more: String...) async throws -> CommandLineTool.Result {
        try await CommandLineTool(place: place)
            .start(["add", place.server.url("/file"), place.savePath, "--allow-private", "--id", "film"] + more)
            .result()
    }

    private func number(of id: String, _ tool: CommandLineTool) async throws -> String {
        let output = try await tool.transfers("list", "--json").output
        let array = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: Any]]
        let number = array?.first { $0["id"] as? String == id }?["number"] as? Int
        return "\(try #require(number))"
    }

    @Test("a download that is added and waited for is at its target, with its checksum compared")
    func addedAndWaitedFor() async throws {
        let place = try Workplace(serving: Self.content)
        let digest = try await digest(of: Self.content, place)
        let result = try await add(place, "--wait", "--sha256", digest)
        #expect(result.status == 0, "\(result.errors)")
        #expect(place.hasSaved(Self.content))
        #expect(!result.output.contains("\u{1b}"))
    }

    private func digest(of content: [UInt8], _ place: Workplace) async throws -> String {
        let path = place.folder.path + "/digest.bin"
        try Data(content).write(to: URL(filePath: path))
        return try await FileDigest.sha256(ofFileAt: path)
    }

    @Test("a download with another checksum ends with status 1 and the reason")
    func wrongChecksum() async throws {
        let place = try Workplace(serving: Self.content)
        let result = try await add(place, "--wait", "--sha256", String(repeating: "0", count: 64))
        #expect(result.status == 1)
        #expect(result.errors.contains("film: failed"), "\(result.errors)")
        #expect(!place.hasSaved(Self.content))
    }

    @Test("a download without a waiting caller is moved to its target by a program that the agent starts")
    func settled() async throws {
        let place = try Workplace(serving: Self.content)
        place.server.setBehaviours([.holdAfter(bytes: 200_000)], for: "/file")
        let result = try await add(place)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("handed off"))
        #expect(place.events.isEmpty)
        place.server.release("/file")
        try await place.wait(for: "the file") { place.hasSaved(Self.content) }
        try await place.wait(for: "the event") { place.events.map(\.outcome) == ["succeeded"] }
        try await place.wait(for: "the end of the program that the agent started") {
            place.query("work.sqlite", "SELECT id FROM owners") { $0.int(0) }?.isEmpty == true
        }
    }

    @Test("pause, resume and cancel accept an id or a number, while no program of the work runs")
    func controlled() async throws {
        let place = try Workplace(serving: Self.content)
        place.server.setBehaviours([.holdAfter(bytes: 200_000), .holdAfter(bytes: 100_000)], for: "/file")
        #expect(try await add(place).status == 0)
        try await place.wait(for: "half of the file") { (place.stagedBytes ?? 0) >= 200_000 }
        let tool = CommandLineTool(place: place)
        let pause = try await tool.transfers("pause", "film")
        #expect(pause.output == "film: paused\n", "\(pause.errors)")
        #expect(try await tool.transfers("list").output.contains("paused"))
        #expect(try await tool.transfers("resume", number(of: "film", tool)).output == "film: resumed\n")
        #expect(try await tool.transfers("resume", "film").output == "film: was not paused\n")
        let cancel = try await tool.transfers("cancel", number(of: "film", tool))
        #expect(cancel.output == "film: cancelled\n", "\(cancel.errors)")
        #expect(cancel.errors.isEmpty)
        #expect(place.events.map(\.outcome) == ["cancelled"])
        #expect(try await tool.transfers("list").output == "no transfers\n")
        #expect(place.stateEntries == 0)
        let again = try await tool.transfers("cancel", "film")
        #expect(again.status == 1)
        #expect(again.errors.contains("has ended already"))
    }

    @Test("an unknown id is an error that names it, and the others are processed nevertheless")
    func unknown() async throws {
        let place = try Workplace(serving: Self.content)
        let tool = CommandLineTool(place: place)
        let none = try await tool.transfers("pause", "nothing")
        #expect(none.status == 1)
        #expect(none.errors.contains("\"nothing\"") && none.errors.contains(place.directory))
        #expect(!FileManager.default.fileExists(atPath: place.directory + "/work.sqlite"))
        place.server.setBehaviours([.holdAfter(bytes: 200_000)], for: "/file")
        #expect(try await add(place).status == 0)
        let some = try await tool.transfers("pause", "4711", "film")
        #expect(some.status == 1)
        #expect(some.output == "film: paused\n")
        #expect(some.errors.contains("\"4711\""))
        let wrong = try await tool.transfers("pause")
        #expect(wrong.status == 64)
    }

    @Test("work added to the directory of a running host is done by that host")
    func livingHost() async throws {
        let place = try Workplace(serving: Self.content)
        let scheduler = try place.scheduler()
        let events = scheduler.eventBus.events
        try await scheduler.start()
        let result = try await add(place)
        #expect(result.status == 0)
        #expect(result.output.contains("the program that has this directory open"), "\(result.output)")
        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next()?.success == true)
        #expect(place.hasSaved(Self.content))
        await scheduler.shutdown()
    }

    @Test("a host that does not run keeps its work, and finds the added work at its launch")
    func absentHost() async throws {
        let place = try Workplace(serving: Self.content)
        try await place.scheduler().enqueue(TaskRequest(workerClassName: "Effect"), id: "its own")
        let result = try await add(place)
        #expect(result.status == 0)
        #expect(result.output.contains("Effect"), "\(result.output)")
        #expect(place.events.isEmpty)
        #expect(place.state(of: "its own") == WorkState.pending.rawValue)
        let scheduler = try place.scheduler()
        try await scheduler.start()
        try await place.wait(for: "both ends") { place.events.count == 2 }
        #expect(place.events.allSatisfy { $0.outcome == "succeeded" })
        await scheduler.shutdown()
    }

    @Test("an upload is sent")
    func upload() async throws {
        let place = try Workplace()
        place.server.acceptUploads(at: "/upload")
        let content = try place.makeSource(bytes: 300_000)
        let result = try await CommandLineTool(place: place).transfers(
            "add", place.server.url("/upload"), "--upload", place.sourcePath, "--allow-private", "--wait")
        #expect(result.status == 0, "\(result.errors)")
        #expect(place.server.uploads(at: "/upload").map { $0.bytes == content } == [true])
    }

    @Test(
        "a command that is wrong says why, with status 64, and adds nothing",
        arguments: [
            ["add"], ["add", "ftp://a/b"], ["add", "https://a/b", "c", "d"], ["add", "https://a/b", "--sha256", "12"],
            ["add", "https://a/b", "--connections", "17"], ["add", "https://a/b", "--header", "none"],
            ["add", "https://a/b", "--priority", "urgent"], ["list", "more"], ["unknown"], ["list", "--directory"],
        ])
    func wrong(arguments: [String]) async throws {
        let place = try Workplace()
        let result = try await CommandLineTool(place: place).start(arguments, inDirectory: false).result()
        #expect(result.status == 64)
        #expect(result.errors.hasPrefix("bgwork: "))
        #expect(!FileManager.default.fileExists(atPath: place.directory + "/work.sqlite"))
    }
}
