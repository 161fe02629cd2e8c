import Foundation

/// One large file from a local nginx through the agent, from enqueueing to the event, against `curl` and `aria2c`, each
/// followed by `sync` of the file. Time, processor time and the agent's private memory.
struct LargeFileBenchmark {
    var bytes: Int
    var runs: Int
    var agent: String
    var folder: String
    var server: BenchmarkServer

    private struct Agent {
        var cost: MeasuredProgram.Cost
        var peak: PrivateMemory
        var idle: PrivateMemory
    }

    func run() async throws {
        print("one file of \(bytes) bytes, \(runs) runs in turns")
        let url = try await server.serveFile(named: "large", bytes: bytes)
        try await CommandLineTool.run("sync", [])
        var (ours, curls, arias): ([Agent], [MeasuredProgram.Cost], [MeasuredProgram.Cost]) = ([], [], [])
        for _ in 0..<runs {
            curls.append(try await fetch("curl", ["-s", "-S", "-f", "-o", folder + "/curl.bin", url], "curl.bin"))
            ours.append(try await download(url))
            arias.append(
                try await fetch(
                    "aria2c", ["-q", "--file-allocation=none", "-d", folder, "-o", "aria2.bin", url], "aria2.bin"))
            print(
                "  wall: agent \(ours.last?.cost.seconds.short ?? ""), curl \(curls.last?.seconds.short ?? ""), "
                    + "aria2c \(arias.last?.seconds.short ?? "") s; CPU: agent \(ours.last?.cost.cpuSeconds.short ?? ""), "
                    + "curl \(curls.last?.cpuSeconds.short ?? ""), aria2c \(arias.last?.cpuSeconds.short ?? "") s; "
                    + "private: peak \(ours.last?.peak ?? .init()), after \(ours.last?.idle ?? .init())")
        }
        report("curl", curls, ours)
        report("aria2c", arias, ours)
        let (peak, idle) = (ours.map(\.peak).maximum, ours.map(\.idle).maximum)
        print("  private memory of the agent: at most \(peak) at its peak, \(idle) idle afterwards")
    }

    private func report(_ name: String, _ theirs: [MeasuredProgram.Cost], _ ours: [Agent]) {
        let wall = zip(ours, theirs).map { $0.cost.seconds / $1.seconds }.median
        let cpu = zip(ours, theirs).map { $0.cost.cpuSeconds / $1.cpuSeconds }.median
        print("  median ratio to \(name): wall \(wall.short), CPU \(cpu.short)")
    }

    /// The time includes the sync, the processor time does not.
    private func fetch(_ program: String, _ arguments: [String], _ file: String) async throws -> MeasuredProgram.Cost {
        var cost = try await MeasuredProgram.run(program, arguments)
        cost.seconds += try await MeasuredProgram.run("sync", [folder + "/" + file]).seconds
        try FileManager.default.removeItem(atPath: folder + "/" + file)
        return cost
    }

    private func download(_ url: String) async throws -> Agent {
        let downloads = AgentDownloads(directory: folder + "/large-work", agent: agent)
        let memory = MemoryPeak(directory: downloads.directory)
        let sampling = Task { await memory.sample() }
        let clock = ContinuousClock()
        let start = clock.now
        let scheduler = try await downloads.fetch([.init(url: url, path: folder + "/agent.bin")])
        let seconds = start.duration(to: clock.now).inMilliseconds / 1000
        let process = AgentProcess(servingDirectory: downloads.directory)
        let cpu = process?.cpuSeconds ?? 0
        try await Task.sleep(for: .seconds(1))
        sampling.cancel()
        let idle = process?.privateMemory ?? PrivateMemory()
        await scheduler.shutdown()
        process?.end()
        for path in [folder + "/agent.bin", downloads.directory] { try FileManager.default.removeItem(atPath: path) }
        return Agent(
            cost: .init(seconds: seconds, cpuSeconds: cpu), peak: memory.memory, idle: idle)
    }
}
