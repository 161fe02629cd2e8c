import BackgroundWork
import BackgroundWorkAgentClient
import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkSystem
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

/// The agent launches the host when its work is due and no host is running.
@Suite(.serialized, .fewAtATime)
struct HostWakeTests {
    private let past = WallTime(milliseconds: 1)
    private let hour: Int64 = 3_600_000

    @Test("a wake whose time has passed launches the host as soon as it is gone, and not before")
    func past() async throws {
        let place = try Workplace()
        let service = place.wakeService()
        try await service.setWakes([WakeRequest(earliest: past)])
        // The answer to another request comes one iteration of the agent's loop later.
        #expect(try await service.transfers().isEmpty)
        #expect(!place.lines(of: place.agentLog).contains { $0.contains("launched the host") })
        await service.disconnect()
        try await place.wait(for: "the launch") { place.launches.count >= 1 }
        // The agent writes it down when the launched process may have run already.
        try await place.wait(for: "the reason in the log") {
            place.lines(of: place.agentLog).contains { $0.contains("launched the host for work that is due") }
        }
        #expect(place.wakes.map(\.earliest) == [past])
    }

    @Test("a wake to come launches the host at its time, not earlier")
    func toCome() async throws {
        let place = try Workplace()
        let service = place.wakeService()
        let earliest = WallTime.inMilliseconds(300)
        try await service.setWakes([WakeRequest(earliest: earliest)])
        await service.disconnect()
        try await place.wait(for: "the launch") { place.launches.count >= 1 }
        #expect(try #require(place.launches.first).time >= earliest)
    }

    @Test("a host that is killed is launched for its due work, and ends the launches by taking its wake back")
    func killedHost() async throws {
        let place = try Workplace()
        let host = try ChildProcess(
            Programs.host, ["wake-client", place.directory, place.agentScript, "1"],
            environment: ProcessInfo.processInfo.environment, log: place.hostLog)
        try await place.wait(for: "the wake") { place.lines(of: place.hostLog).contains("asked") }
        #expect(place.wakes.map(\.store) == ["wake-client"])
        #expect(!place.lines(of: place.agentLog).contains { $0.contains("launched the host") })
        await host.killAndWait()
        try await place.wait(for: "the end of the launched host") {
            place.lines(of: place.agentLog).contains { $0.contains("ended (exit status 0)") }
        }
        #expect(place.lines(of: place.directory + "/agent/host.log") == ["served"])
        #expect(place.wakes.isEmpty)
        #expect(!place.lines(of: place.agentLog).contains { $0.contains("made no progress") }, "\(place.logs)")
    }

    @Test("one host is launched at a time, and the next waits if it achieved nothing")
    func oneAtATime() async throws {
        let place = try Workplace()
        let service = place.wakeService(launching: "exec sleep 86400")
        try await service.setWakes([WakeRequest(earliest: past)])
        await service.disconnect()
        try await place.wait(for: "the launch") { place.launches.count == 1 }
        let first = try #require(place.launches.first).process
        // A client of another store connects and disconnects: the wake is due all the time.
        for _ in 0..<3 {
            let other = place.wakeService(store: "b", launching: "exec sleep 86400")
            #expect(try await other.transfers().isEmpty)
            await other.disconnect()
        }
        #expect(place.launches.count == 1)
        kill(first, SIGKILL)
        try await place.wait(for: "the next launch") { place.launches.count == 2 }
        #expect(
            place.lines(of: place.agentLog).contains { $0.contains("made no progress; the next launch waits 1.0") },
            "\(place.logs)")
        kill(try #require(place.launches.last).process, SIGKILL)
    }

    @Test("a wake survives the agent: the next one launches for it, without a client")
    func agentDeath() async throws {
        let place = try Workplace(idleExit: 0)
        let service = place.wakeService()
        try await service.setWakes([WakeRequest(earliest: .inMilliseconds(hour))])
        await service.disconnect()
        try await place.killAgents()
        #expect(place.launches.isEmpty)
        // The hour passes while no agent runs.
        try SQLiteConnection(path: place.directory + "/agent/agent.sqlite", mode: .readWriteCreate)
            .execute("UPDATE wakes SET earliest = earliest - \(2 * hour)")
        let agent = try ChildProcess(
            Programs.agent, ["agent", "--directory", place.directory, "--idle-exit", "0"], environment: [:],
            log: place.hostLog)
        try await place.wait(for: "the launch") { place.launches.count >= 1 }
        #expect(place.wakes.count == 1)
        await agent.killAndWait()
    }

    @Test("a connected host restarts an agent that has died, and sends its wakes again")
    func asksAgain() async throws {
        let place = try Workplace()
        let service = place.wakeService()
        let wake = WakeRequest(earliest: .inMilliseconds(hour), needs: .unmeteredNetwork)
        try await service.setWakes([WakeRequest(earliest: past), WakeRequest(earliest: past, needs: .charging)])
        try await service.setWakes([wake])
        // Even the journal is lost. Stopped, the agent does not remove its own files meanwhile.
        for agent in place.agents { kill(agent, SIGSTOP) }
        try FileManager.default.removeItem(atPath: place.directory + "/agent")
        try await place.killAgents()
        try await place.wait(for: "the wake to be asked for again") { place.wakes.count == 1 }
        #expect(place.wakes == [.init(store: "a", needs: wake.needs, earliest: wake.earliest)])
        await service.disconnect()
    }

    @Test("of many consecutive requests the last one counts, also when the agent dies between them")
    func manyWishes() async throws {
        let place = try Workplace()
        let service = place.wakeService()
        let last = WallTime.inMilliseconds(hour)
        try await service.setWakes([WakeRequest(earliest: past)])
        let agent = try #require(place.agents.first)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for delta in 1...100 {
                group.addTask { try await service.setWakes([WakeRequest(earliest: last.advanced(byMs: Int64(delta)))]) }
            }
            group.addTask { kill(agent, SIGKILL) }
            try await group.waitForAll()
        }
        try await service.setWakes([WakeRequest(earliest: last)])
        #expect(place.wakes.map(\.earliest) == [last])
        try await service.setWakes([])
        #expect(place.wakes.isEmpty)
        await service.disconnect()
    }

    @Test("removing wakes that were never registered starts no agent")
    func nothingToTakeBack() async throws {
        let place = try Workplace()
        let service = place.wakeService()
        try await service.setWakes([])
        #expect(place.agents.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: place.directory + "/agent"))
        await service.disconnect()
    }

    @Test("a wake waits for what it needs of the device")
    func needs() async throws {
        let place = try Workplace()
        let pipe = place.folder.path + "/device"
        #expect(mkfifo(pipe, 0o600) == 0)
        let agent = try ChildProcess(
            Programs.host, ["device-agent", pipe, "agent", place.directory],
            environment: ProcessInfo.processInfo.environment, log: place.hostLog)
        try await place.wait(for: "the agent") {
            FileManager.default.fileExists(atPath: AgentPaths(schedulerDirectory: place.directory).socket)
        }
        let service = place.wakeService()
        try await service.setWakes([WakeRequest(earliest: past, needs: [.network, .charging])])
        await service.disconnect()
        // Open both ways, so that no byte is lost for want of a reader.
        let device = try FileHandle(forUpdating: URL(filePath: pipe))
        try device.write(contentsOf: [UInt8(Constraints.network.rawValue)])
        try await place.wait(for: "the agent to be told") { place.lines(of: place.hostLog).contains("told 1") }
        // The answer to a request comes after an iteration of the loop that has processed it.
        let other = place.wakeService(store: "b")
        #expect(try await other.transfers().isEmpty)
        await other.disconnect()
        #expect(!place.lines(of: place.hostLog).contains { $0.contains("launched the host") })
        try device.write(contentsOf: [UInt8(Constraints([.network, .charging]).rawValue)])
        try await place.wait(for: "the launch") { place.launches.count >= 1 }
        await agent.killAndWait()
    }

    #if arch(x86_64)
    @Test(
        "an agent with wakes keeps running, waits without a timeout, and has not loaded libcurl",
        .enabled(if: getuid() == 0, "only root may look into /proc/<pid>/syscall everywhere"))
    func alarmClock() async throws {
        let place = try Workplace(idleExit: 0)
        let service = place.wakeService()
        try await service.setWakes([WakeRequest(earliest: .inMilliseconds(hour))])
        let agent = try #require(place.agents.first)
        await service.disconnect()
        // poll(2) is number 7: signals, the loop's own wake-up, the watch of its lock, the alarms of wakes and transfers,
        // and the listening socket, without a timeout.
        try await place.wait(for: "the agent to wait without a timeout") {
            let call = (try? String(contentsOfFile: "/proc/\(agent)/syscall", encoding: .utf8)) ?? ""
            let words = call.split(separator: " ")
            return words.count > 3 && words[0] == "7" && words[2] == "0x6" && words[3].hasSuffix("ffffffff")
        }
        // Read piece by piece: the file reports no length.
        let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(agent)/maps"))
        let maps = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        #expect(!maps.contains("libcurl"))
        #expect(maps.contains("libsqlite3"))
    }
    #endif

    @Test("an agent without a launch command does not stay for its wakes, and keeps them")
    func withoutCommand() async throws {
        let place = try Workplace(idleExit: 0)
        let service = AgentTransferService(
            directory: place.directory, store: "a", agentExecutable: place.agentScript, launchCommand: nil,
            clock: SystemWorkClock(), highestTaskIdentifier: { 0 })
        try await service.setWakes([WakeRequest(earliest: past)])
        await service.disconnect()
        try await place.wait(for: "the agent to leave") { place.agents.isEmpty }
        #expect(place.wakes.count == 1)
    }
}
