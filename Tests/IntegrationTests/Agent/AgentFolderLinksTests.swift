import BackgroundWork
import BackgroundWorkModel
import BackgroundWorkSystem
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

/// Foreign items in the agent's folder: they are not followed, not used, and named.
@Suite(.serialized, .fewAtATime)
struct AgentFolderLinksTests {
    private static let content = Array("the file".utf8)

    private func place() throws -> Workplace {
        let place = try Workplace(idleExit: 0)
        place.server.serve(.bytes(Self.content), at: "/file")
        return place
    }

    private func makeFolder(_ place: Workplace) {
        mkdir(place.directory + "/agent", 0o700)
    }

    private func elsewhere(_ place: Workplace) -> String { place.folder.path + "/elsewhere" }

    /// Whether a download fails with a message about a path.
    private func expectRefusal(
        of path: String, saying words: String, in place: Workplace, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let event = try await place.run(try place.download())
        let message = event?.message ?? ""
        #expect(event?.success == false, sourceLocation: sourceLocation)
        for part in [path, words, "Move it away"] {
            #expect(message.contains(part), "\(message)\n\(place.logs)", sourceLocation: sourceLocation)
        }
        #expect(place.server.requests.isEmpty, sourceLocation: sourceLocation)
    }

    private static let files = ["agent.log", "agent.lock", "agent.sqlite", "agent.sqlite-wal", "agent.sqlite-shm"]

    @Test("a link in place of one of its files is rejected, and nothing is created at its target", arguments: files)
    func danglingFile(name: String) async throws {
        let place = try place()
        makeFolder(place)
        let path = place.directory + "/agent/" + name
        symlink(elsewhere(place), path)
        try await expectRefusal(of: path, saying: "symbolic link", in: place)
        #expect(!FileManager.default.fileExists(atPath: elsewhere(place)))
        // A rejected item is rejected as long as it exists, and no longer.
        unlink(path)
        let event = try await place.run(try place.download())
        #expect(event?.success == true, "\(event?.message ?? "")\n\(place.logs)")
    }

    @Test("a link to a file is rejected, and that is left as it is", arguments: files)
    func linkedFile(name: String) async throws {
        let place = try place()
        makeFolder(place)
        let path = place.directory + "/agent/" + name
        try Data("theirs".utf8).write(to: URL(filePath: elsewhere(place)))
        chmod(elsewhere(place), 0o644)
        symlink(elsewhere(place), path)
        try await expectRefusal(of: path, saying: "symbolic link", in: place)
        #expect(try String(contentsOfFile: elsewhere(place), encoding: .utf8) == "theirs")
        var status = stat()
        #expect(stat(elsewhere(place), &status) == 0 && status.st_mode & 0o777 == 0o644)
    }

    @Test(
        "a link in place of its folder, or of the staging folder, is rejected, and nothing is written to its target",
        arguments: ["/agent", "/agent/staging"], [true, false])
    func folders(name: String, exists: Bool) async throws {
        let place = try place()
        if name != "/agent" { makeFolder(place) }
        if exists { mkdir(elsewhere(place), 0o700) }
        let path = place.directory + name
        symlink(elsewhere(place), path)
        try await expectRefusal(of: path, saying: "symbolic link", in: place)
        #expect(((try? FileManager.default.contentsOfDirectory(atPath: elsewhere(place))) != nil) == exists)
        #expect((try? FileManager.default.contentsOfDirectory(atPath: elsewhere(place)))?.isEmpty ?? true)
    }

    @Test("a link in place of its folder is reported at once, and once, while the work has attempts left")
    func notice() async throws {
        let place = try place()
        let path = place.directory + "/agent"
        symlink(elsewhere(place), path)
        let notices = Recorder<SchedulerNotice>()
        let scheduler = try place.scheduler { $0.noticeHandler = { notices.add($0) } }
        try await scheduler.start()
        try await scheduler.enqueue(try place.download(attempts: 1000), id: "d")
        #expect(try await comesTrue { try await scheduler.info(id: "d")?.runAttempt ?? 0 >= 3 })
        #expect(try await scheduler.info(id: "d")?.state.isFinished == false)
        let said = notices.values.filter { $0.kind == .daemonUnreachable }.map(\.message)
        #expect(
            said.count == 1 && said.first?.contains("\(path) is not used: it is a symbolic link") == true, "\(said)")
        unlink(path)
        #expect(try await comesTrue { try await scheduler.info(id: "d")?.state == .succeeded })
        await scheduler.shutdown()
    }

    @Test("a link in place of its socket is not followed to another")
    func socket() async throws {
        let place = try place()
        let other = try self.place()
        let client = AgentClient(other)
        await client.listen()
        makeFolder(place)
        let path = place.directory + "/agent/agent.sock"
        symlink(other.directory + "/agent/agent.sock", path)
        try await expectRefusal(of: path, saying: "symbolic link", in: place)
        #expect(other.journal.isEmpty)
        await client.service.disconnect()
    }

    @Test("a link in place of a staging file fails that transfer alone")
    func stagingFile() async throws {
        let place = try place()
        let client = AgentClient(place)
        await client.listen()
        let task = try await client.download("one")
        #expect(try await client.outcome("one").isSuccess)
        let next = place.directory + "/agent/staging/\(task + 1).part"
        symlink(elsewhere(place), next)
        try await client.download("two")
        let message = try await client.outcome("two").failure?.message ?? ""
        #expect(message.contains(next) && message.contains("symbolic link"), "\(message)")
        #expect(!FileManager.default.fileExists(atPath: elsewhere(place)))
        try await client.download("three")
        #expect(try await client.outcome("three").isSuccess)
        await client.service.disconnect()
    }

    @Test("a link in place of the log of launched hosts keeps them from being launched, and the agent says so")
    func hostLog() async throws {
        let place = try place()
        makeFolder(place)
        let path = place.directory + "/agent/host.log"
        symlink(elsewhere(place), path)
        let service = place.wakeService()
        try await service.setWakes([WakeRequest(earliest: WallTime(milliseconds: 1))])
        await service.disconnect()
        try await place.wait(for: "the agent's words") {
            place.lines(of: place.agentLog).contains {
                $0.contains("could not be launched") && $0.contains(path) && $0.contains("symbolic link")
            }
        }
        #expect(!FileManager.default.fileExists(atPath: elsewhere(place)))
        #expect(place.launches.isEmpty)
    }

    @Test(
        "an item of another user is rejected", .enabled(if: getuid() == 0),
        arguments: files.map { "/agent/" + $0 } + ["/agent", "/agent/staging"])
    func otherUser(name: String) async throws {
        let place = try place()
        makeFolder(place)
        let path = place.directory + name
        if name.hasSuffix("staging") {
            mkdir(path, 0o700)
        } else if name != "/agent" {
            try Data().write(to: URL(filePath: path))
        }
        chown(path, 65_534, 65_534)
        try await expectRefusal(of: path, saying: "belongs to the user 65534", in: place)
    }

    @Test("a link above the folder is followed")
    func above() async throws {
        let place = try place()
        rmdir(place.directory)
        mkdir(elsewhere(place), 0o700)
        symlink(elsewhere(place), place.directory)
        let event = try await place.run(try place.download())
        #expect(event?.success == true, "\(event?.message ?? "")\n\(place.logs)")
        #expect(place.hasSaved(Self.content))
        #expect(FileManager.default.fileExists(atPath: elsewhere(place) + "/agent/agent.sqlite"))
    }
}
