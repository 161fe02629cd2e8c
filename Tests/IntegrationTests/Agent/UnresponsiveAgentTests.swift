import BackgroundWork
import BackgroundWorkAgentClient
import BackgroundWorkSystem
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

/// An agent that is there and does not answer.
@Suite(.fewAtATime, .timeLimit(.minutes(5)))
struct UnresponsiveAgentTests {
    private static let patience = AgentPatience(interval: .milliseconds(100), checksWhenStopped: 5, checks: 100_000)

    private func expectHang(_ body: () async throws -> Void) async {
        let error = await #expect(throws: AgentUnavailableError.self) { try await body() }
        #expect(error?.description.contains("It is stopped") == true, "\(error?.description ?? "")")
    }

    @Test("while the agent is stopped each call ends with an error that says so, and works again once it continues")
    func stopped() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Workplace.content(bytes: 300_000)), at: "/file")
        place.server.setBehaviour(.holdAfter(bytes: 1000), for: "/file")
        let client = AgentClient(place, patience: Self.patience)
        try await client.download("film", "/file")
        let agents = place.agents
        #expect(agents.count == 1)
        for agent in agents { kill(agent, SIGSTOP) }
        // On the connection that is there, then at the hello of a new one.
        for _ in 0..<2 { await expectHang { _ = try await client.service.transfers() } }
        await expectHang { try await client.download("other", "/file") }
        for agent in agents { kill(agent, SIGCONT) }
        #expect(try await comesTrue { (try? await client.snapshot("film")) != nil })
        place.server.release("/file")
        try await place.killAgents()
    }

    @Test("a slow agent is waited for")
    func slow() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Workplace.content(bytes: 1000)), at: "/file")
        // Less than it needs, were it not for its state.
        let patience = AgentPatience(interval: .microseconds(20), checksWhenStopped: 1, checks: .max)
        let client = AgentClient(place, patience: patience)
        for name in ["one", "two", "three"] { try await client.download(name, "/file") }
        #expect(try await client.service.transfers().count == 3)
        try await place.killAgents()
    }

    @Test("a scheduler starts and shuts down beside an agent that does not answer")
    func scheduler() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Workplace.content(bytes: 300_000)), at: "/file")
        place.server.setBehaviour(.holdAfter(bytes: 1000), for: "/file")
        let first = try place.scheduler()
        try await first.start()
        try await first.enqueue(try place.request("/file"), id: "d")
        try await place.wait(for: "the hand-off") { place.stateEntries == 1 }
        await first.shutdown()
        let agents = place.agents
        for agent in agents { kill(agent, SIGSTOP) }
        let notices = Recorder<SchedulerNotice>()
        let second = try place.scheduler { $0.noticeHandler = { notices.add($0) } }
        try await second.start()
        #expect(try await comesTrue { notices.values.contains { $0.kind == .daemonUnreachable } })
        await second.shutdown(gracePeriod: .seconds(1))
        for agent in agents { kill(agent, SIGCONT) }
        place.server.release("/file")
        try await place.killAgents()
    }

    @Test("the death of an agent while it starts does not count as an attempt of the work")
    func killedAtItsStart() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Workplace.content(bytes: 1000)), at: "/file")
        // The first two die at once, by a signal.
        let script = """
            #!/bin/sh
            for n in 1 2; do if mkdir '\(place.folder.path)/death-$n' 2>/dev/null; then kill -9 $$; fi; done
            exec '\(Programs.agent)' "$@"
            """
        let path = place.folder.path + "/dying.txt"
        try Data(script.utf8).write(to: URL(filePath: path))
        let copy = try ChildProcess(
            "/usr/bin/install", ["-m", "755", path, place.agentScript], environment: [:], log: "/dev/null")
        _ = await copy.nextChange()
        let event = try await place.run(try place.request("/file"))
        #expect(event?.success == true, "\(event?.message ?? "")\n\(place.logs)")
        #expect(event?.attempt == 1)
    }

    @Test("a missing program for the agent is reported on the standard error at once")
    func missing() async throws {
        let place = try Workplace()
        // Under another path nothing lies beside it.
        let program = place.folder.path + "/host"
        #expect(link(Programs.host, program) == 0)
        let host = try ChildProcess(
            program,
            [
                "--directory", place.directory, "--url", place.server.url("/file"), "--save-path", place.savePath,
                "--no-agent",
            ], environment: place.hostEnvironment(stoppingAt: nil), log: place.hostLog)
        try await place.wait(for: "the line") {
            let log = (try? String(contentsOfFile: place.hostLog, encoding: .utf8)) ?? ""
            return log.contains("BackgroundWork: No agent program was found") && log.contains("BGWORK_AGENT")
        }
        await host.killAndWait()
    }

    @Test("an agent whose folder is deleted exits", arguments: ["/agent", ""])
    func deleted(part: String) async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Workplace.content(bytes: 300_000)), at: "/file")
        place.server.setBehaviour(.holdAfter(bytes: 1000), for: "/file")
        let client = AgentClient(place)
        try await client.download("film", "/file")
        // It has a reason to stay, and no client starts another one.
        await client.service.disconnect()
        #expect(place.agents.count == 1)
        let remover = try ChildProcess(
            "/bin/rm", ["-rf", place.directory + part], environment: [:], log: "/dev/null")
        #expect(await remover.nextChange() == .exited(0))
        #expect(try await comesTrue { place.agents.isEmpty })
        place.server.release("/file")
    }
}
