import BackgroundWork
import BackgroundWorkSystem
import Foundation
import TestSupport
import Testing

/// What may prevent a terminated process from ending.
@Suite(.serialized, .fewAtATime, .timeLimit(.minutes(5)))
struct TerminationTests {
    /// Sends SIGTERM, and waits for the end. Kills what has not ended after ten seconds.
    private func terminate(_ process: ChildProcess, again: Bool = false) async throws -> ChildProcess.Change {
        let alarm = Task {
            let clock = ContinuousClock()
            let deadline = clock.now.advanced(by: .seconds(10))
            process.send(SIGTERM)
            while clock.now < deadline {
                try await clock.sleep(for: .milliseconds(200))
                if again { process.send(SIGTERM) }
            }
            process.send(SIGKILL)
        }
        let change = await process.nextChange()
        alarm.cancel()
        return change
    }

    @Test("two schedulers of one process both shut down when it is terminated")
    func two() async throws {
        let folder = try TemporaryFolder()
        let host = try ChildProcess(
            Programs.host, ["two-terminable", folder.path], environment: ProcessInfo.processInfo.environment,
            log: folder.path + "/host.log")
        #expect(try await comesTrue { host.handles(SIGTERM) })
        // Again and again, since one of the two may not wait yet at the first.
        #expect(try await terminate(host, again: true) == .exited(0))
    }

    @Test("workers that block every thread of the pool do not keep the process from ending")
    func blockedPool() async throws {
        let folder = try TemporaryFolder()
        let log = folder.path + "/blocked.log"
        let host = try ChildProcess(
            Programs.host, ["terminable", folder.path + "/scheduler", log, "1000"],
            environment: ProcessInfo.processInfo.environment, log: folder.path + "/host.log")
        #expect(try await comesTrue { host.handles(SIGTERM) })
        let onlooker = try WorkScheduler(
            configuration: .init(directory: URL(filePath: folder.path + "/scheduler")), workers: WorkerRegistry())
        try await onlooker.enqueue(
            contentsOf: (0..<16).map { TaskSubmission(TaskRequest(workerClassName: "Block"), id: "block-\($0)") })
        let threads = min(16, ProcessInfo.processInfo.activeProcessorCount)
        #expect(
            try await comesTrue {
                (try? String(contentsOfFile: log, encoding: .utf8))?.split(separator: "\n").count ?? 0 >= threads
            })
        #expect(try await terminate(host) == .exited(0))
        await onlooker.shutdown()
    }

    @Test("an agent that hangs does not keep its host from ending", arguments: [false, true])
    func hungAgent(isTransferring: Bool) async throws {
        let place = try Workplace()
        place.server.serve(.bytes(HostDeathTests.content), at: "/file")
        place.server.setBehaviour(.holdAfter(bytes: 20_000), for: "/file")
        let host = try ChildProcess(
            Programs.host,
            ["terminable", place.directory, place.folder.path + "/blocked.log", "1000", place.agentScript],
            environment: place.hostEnvironment(stoppingAt: nil), log: place.hostLog)
        #expect(try await comesTrue { host.handles(SIGTERM) })
        let onlooker = try place.scheduler()
        try await onlooker.enqueue(try place.download(), id: "d")
        try await place.wait(for: "the hand-off") { place.state(of: "d") == 3 && !place.agents.isEmpty }
        let agents = place.agents
        for agent in agents { kill(agent, SIGSTOP) }
        // What the host sends the agent before it ends, or is already sending.
        if isTransferring {
            try await onlooker.cancel(id: "d")
        } else {
            try await onlooker.enqueue(TaskRequest(workerClassName: "Block", delay: .seconds(3600)), id: "later")
        }
        #expect(try await terminate(host) == .exited(0), "\(place.logs)")
        for agent in agents { kill(agent, SIGKILL) }
        await onlooker.shutdown()
    }
}
