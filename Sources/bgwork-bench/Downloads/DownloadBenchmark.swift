import BackgroundWork
import BackgroundWorkSystem
import Foundation

/// One large file from a local nginx through the agent, from enqueueing to the event, against `curl -o F` followed by
/// `sync F` in the same run; and the agent's peak private memory.
struct DownloadBenchmark {
    var bytes = 1 << 30
    var runs = 9
    /// The agent's program; its release build with the static standard library is the one that counts.
    var agent: String

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bgwork-bench-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = try await BenchmarkServer(folder: folder)
        defer { server.stop() }
        let url = try await server.serveFile(named: "file", bytes: bytes)
        print("download: \(bytes) bytes from nginx on loopback, \(runs) runs, agent \(agent)")
        var ratios: [Double] = []
        var peak = PrivateMemory()
        for _ in 0..<runs {
            let curl = try await timed { try await Self.curl(url, to: folder + "/curl.bin") }
            let memory = MemoryPeak(directory: folder + "/work")
            let ours = try await timed { try await download(url, folder: folder, memory: memory) }
            ratios.append(ours / curl)
            peak = peak.maximum(memory.memory)
            print("  curl+sync \(curl) s, agent \(ours) s, ratio \(ours / curl), peak private \(memory.memory)")
            for file in ["/curl.bin", "/agent.bin"] { try FileManager.default.removeItem(atPath: folder + file) }
        }
        print("  median ratio \(ratios.sorted()[runs / 2]), peak private memory of the agent \(peak)")
    }

    private func timed(_ body: () async throws -> Void) async throws -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        try await body()
        let (seconds, attoseconds) = start.duration(to: clock.now).components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    private static func curl(_ url: String, to path: String) async throws {
        try await CommandLineTool.run("curl", ["-s", "-S", "-f", "-o", path, url])
        try await CommandLineTool.run("sync", [path])
    }

    private func download(_ url: String, folder: String, memory: MemoryPeak) async throws {
        var configuration = WorkScheduler.Configuration(directory: URL(filePath: folder + "/work"))
        configuration.securityPolicy = .unrestricted
        configuration.agentExecutable = agent
        let scheduler = try WorkScheduler(configuration: configuration, workers: WorkerRegistry())
        let events = scheduler.eventBus.events
        try await scheduler.start()
        let input = DownloadConfiguration(url: url, savePath: folder + "/agent.bin")
        try await scheduler.enqueue(TaskRequest(BackgroundDownloadWorker.self, input: input))
        let sampling = Task { await memory.sample() }
        for await event in events {
            if !event.success { print("  failed: \(event.message ?? "")") }
            break
        }
        sampling.cancel()
        await scheduler.shutdown()
    }
}
