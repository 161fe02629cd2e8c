import BackgroundWork
import BackgroundWorkSystem
import Foundation

/// What an agent that has nothing to do holds of memory, and which system calls it makes meanwhile.
struct IdleCost {
    var seconds: Int
    var agent: String
    var folder: String

    func run() async throws {
        let directory = folder + "/idle-work"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let process = Process()
        process.executableURL = URL(filePath: agent)
        process.arguments = ["agent", "--directory", directory, "--stay"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer { kill(process.processIdentifier, SIGKILL) }
        try await Task.sleep(for: .seconds(1))
        let memory = AgentProcess(identifier: process.processIdentifier).privateMemory ?? PrivateMemory()
        print("idle agent, never used: \(memory) private")
        let trace = folder + "/idle.trace"
        // 124: `timeout` has ended it.
        _ = try? await MeasuredProgram.run(
            "timeout", ["\(seconds)", "strace", "-f", "-q", "-o", trace, "-p", "\(process.processIdentifier)"])
        let calls = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
            .filter { !$0.contains("+++") }
        print("  system calls seen in \(seconds) s, the ones it sleeps in included: \(calls.count)")
        for call in calls { print("    \(call)") }
    }
}

/// The agent's private memory with nothing, one and many transfers in flight.
///
/// All of them are active at the agent and get 1 kB a second, as many at a time as `running` says.
struct InFlightCost {
    var transfers: Int
    var running: Int
    var agent: String
    var folder: String
    var server: BenchmarkServer

    func run() async throws {
        _ = try await server.serveFile(named: "slow-file", bytes: 1 << 20)
        let name = "flight-\(running)"
        var downloads = AgentDownloads(directory: "\(folder)/\(name)-work", agent: agent)
        downloads.limits.overall = running
        downloads.limits.perSession = running
        let scheduler = try await downloads.start()
        let memory = MemoryPeak(directory: downloads.directory)
        let sampling = Task { await memory.sample() }
        let one = try await holding(0..<1, of: scheduler, downloads, name)
        let many = try await holding(1..<transfers, of: scheduler, downloads, name)
        sampling.cancel()
        let process = AgentProcess(servingDirectory: downloads.directory)
        print(
            "in flight, \(running) of them running: one transfer \(one) private, \(transfers) transfers \(many), "
                + "peak \(memory.memory)")
        let further = Double(max(transfers - 1, 1))
        print(
            "  each further one \((Double(many.all - one.all) / further).short) kB "
                + "(dirty \((Double(many.dirty - one.dirty) / further).short))")
        process?.end()
        await scheduler.shutdown()
    }

    /// Hands more transfers off, and returns the agent's private memory once all of them were there for some seconds.
    private func holding(
        _ numbers: Range<Int>, of scheduler: WorkScheduler, _ downloads: AgentDownloads, _ name: String
    ) async throws -> PrivateMemory {
        let files = numbers.map { number in
            AgentDownloads.File(
                url: server.url(of: "slow/slow-file", host: 1 + number % 250), path: "\(folder)/\(name)-files/\(number)"
            )
        }
        try await scheduler.enqueue(contentsOf: files.map(AgentDownloads.submission))
        while try await scheduler.health().queues.flatMap(\.counts).contains(where: { $0.key != .handedOff }) {
            try await Task.sleep(for: .milliseconds(50))
        }
        try await Task.sleep(for: .seconds(5))
        return AgentProcess(servingDirectory: downloads.directory)?.privateMemory ?? PrivateMemory()
    }
}
