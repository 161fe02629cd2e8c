import BackgroundWork
import BackgroundWorkFiles
import BackgroundWorkSystem
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

/// The agent launches the host when a file changes that its work waits for, and no host is running.
@Suite(.serialized, .fewAtATime)
struct FileWakeTests {
    let place: Workplace
    let file: String

    init() throws {
        place = try Workplace()
        file = place.folder.path + "/watched"
        try write("0")
    }

    private var log: String { place.folder.path + "/runs.log" }

    /// As one change.
    private func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: file), options: .atomic) }

    private var request: FileWakeRequest { FileWakeRequest(path: file, stamp: FileStamp.stored(path: file)) }

    /// A host that waits for the file, once the agent knows of it.
    private func startHost() async throws -> ChildProcess {
        let host = try ChildProcess(
            Programs.host, ["file-trigger", place.directory, place.agentScript, file, log],
            environment: ProcessInfo.processInfo.environment, log: place.hostLog)
        try await agentHasHeard()
        return host
    }

    /// Until the agent has the file as it is now.
    private func agentHasHeard() async throws {
        let stamp = FileStamp.stored(path: file)
        try await place.wait(for: "the agent to be told of the file") { place.watchedStamps == [stamp] }
    }

    private func ended(_ count: Int) async throws {
        try await place.wait(for: "the end of launched host \(count)") {
            place.lines(of: place.agentLog).filter { $0.contains("ended (exit status 0)") }.count == count
        }
    }

    @Test("each change while no process is there launches the host once, and its work runs once")
    func changes() async throws {
        let host = try await startHost()
        await host.killAndWait()
        for count in 1...3 {
            try write("\(count)")
            try await ended(count)
            #expect(place.lines(of: log) == Array(repeating: "ran launched", count: count), "\(place.logs)")
            try await agentHasHeard()
        }
        #expect(place.lines(of: place.agentLog).filter { $0.contains("for a file that has changed") }.count == 3)
        #expect(!place.lines(of: place.agentLog).contains { $0.contains("made no progress") }, "\(place.logs)")
    }

    @Test("what happens to the file while neither host nor agent is there launches the host when an agent comes")
    func nobody() async throws {
        let host = try await startHost()
        let agents = place.agents
        for agent in agents { kill(agent, SIGSTOP) }
        await host.killAndWait()
        try await place.killAgents()
        try FileManager.default.removeItem(atPath: file)
        let agent = try ChildProcess(
            Programs.agent, ["agent", "--directory", place.directory, "--idle-exit", "0"], environment: [:],
            log: place.hostLog)
        try await place.wait(for: "the run") { place.lines(of: log) == ["ran launched"] }
        try await agentHasHeard()
        await agent.killAndWait()
    }

    @Test("a running host handles the change itself, and no other is launched")
    func present() async throws {
        let host = try await startHost()
        try write("1")
        try await place.wait(for: "the run") { place.lines(of: log).contains("ran at once") }
        try await agentHasHeard()
        try await place.wait(for: "the agent to know that nothing runs") { place.wakes.isEmpty }
        await host.killAndWait()
        // The answer to another request comes when the agent has seen the host go; another change is the next launch.
        try write("2")
        try await ended(1)
        // A change that occurs while the host starts to watch is reported twice rather than never.
        #expect(Set(place.lines(of: log).dropLast()) == ["ran at once"], "\(place.logs)")
        #expect(place.lines(of: log).last == "ran launched", "\(place.logs)")
    }

    @Test("after a launched host that does not handle the change, others are launched with growing delays")
    func unseen() async throws {
        let service = place.wakeService()
        try await service.setWakes(WakeList(files: [request]))
        await service.disconnect()
        try write("1")
        try await place.wait(for: "the second launch") { place.launches.count == 2 }
        #expect(
            place.lines(of: place.agentLog).contains { $0.contains("made no progress; the next launch waits 1.0") },
            "\(place.logs)")
    }

    @Test("an unchanged file launches no host, and neither does one that is no longer awaited")
    func unchanged() async throws {
        let service = place.wakeService()
        try await service.setWakes(WakeList(files: [request]))
        await service.disconnect()
        let other = place.wakeService()
        // While it is connected, the file changes and is registered again with its new stamp.
        #expect(try await other.transfers().isEmpty)
        try write("1")
        try await other.setWakes(WakeList(files: [request]))
        await other.disconnect()
        let last = place.wakeService(store: "b")
        try await last.setWakes([WakeRequest(earliest: .inMilliseconds(300))])
        await last.disconnect()
        try await place.wait(for: "the launch for another's time") { place.launches.count == 1 }
        #expect(!place.lines(of: place.agentLog).contains { $0.contains("a file that has changed") }, "\(place.logs)")
    }
}
