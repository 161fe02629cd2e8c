import Foundation

/// Many small files from a local nginx through the agent, from enqueueing to the last event, against `aria2c`.
///
/// What the agent delivers has reached the disk, so `aria2c` is followed by `sync` of the file system it wrote to.
///
/// Nothing is deleted before the end: ext4 without a journal searches long for an inode that was not freed just now. For
/// the same reason the agent goes first: `aria2c` deletes a control file for each download.
struct SmallFilesBenchmark {
    /// How many connections both may have to the server at the same time.
    private static let connections = 16
    private static let concurrency = 256

    var files: Int
    var bytes: Int
    var runs: Int
    var agent: String
    var folder: String
    var server: BenchmarkServer

    func run() async throws {
        print("\(files) files of \(bytes) bytes, \(runs) runs in turns")
        let urls = try server.serveFiles(files, bytes: bytes)
        try await CommandLineTool.run("sync", [])
        var (rates, theirs): ([Double], [Double]) = ([], [])
        for run in 1...runs {
            rates.append(try await ours(urls, run))
            theirs.append(try await aria2(urls, run))
        }
        let ratios = zip(rates, theirs).map { $0 / $1 }
        print(
            "  median: agent \(Int(rates.median)) files/s, aria2c \(Int(theirs.median)) files/s, "
                + "ratio \(ratios.median.short)")
    }

    private func ours(_ urls: [String], _ run: Int) async throws -> Double {
        let target = "\(folder)/agent-files-\(run)"
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        var downloads = AgentDownloads(directory: "\(folder)/small-work-\(run)", agent: agent)
        downloads.concurrency = Self.concurrency
        downloads.limits.perHost = Self.connections
        let memory = MemoryPeak(directory: downloads.directory)
        let sampling = Task { await memory.sample(every: .milliseconds(500)) }
        let host = AgentProcess(identifier: getpid())
        let before = host.cpuSeconds
        let clock = ContinuousClock()
        let start = clock.now
        let scheduler = try await downloads.fetch(
            urls.enumerated().map { .init(url: $1, path: "\(target)/\($0)") })
        let seconds = start.duration(to: clock.now).inMilliseconds / 1000
        sampling.cancel()
        let process = AgentProcess(servingDirectory: downloads.directory)
        print(
            "  agent  \(seconds.short) s, \(Int(Double(files) / seconds)) files/s, CPU of the agent "
                + "\((process?.cpuSeconds ?? 0).short) s, of the host \((host.cpuSeconds - before).short) s, "
                + "peak private \(memory.memory)")
        await scheduler.shutdown()
        process?.end()
        return Double(files) / seconds
    }

    private func aria2(_ urls: [String], _ run: Int) async throws -> Double {
        let target = "\(folder)/aria2-files-\(run)"
        let list = folder + "/list"
        try urls.enumerated().map { "\($1)\n  out=\($0)\n" }.joined()
            .write(toFile: list, atomically: true, encoding: .utf8)
        let fetched = try await MeasuredProgram.run(
            "aria2c",
            ["-q", "-i", list, "-d", target, "-j", "\(Self.connections)", "-x", "1", "--file-allocation=none"])
        let synced = try await MeasuredProgram.run("sync", ["-f", target])
        let seconds = fetched.seconds + synced.seconds
        print(
            "  aria2c \(seconds.short) s, \(Int(Double(files) / seconds)) files/s, CPU \(fetched.cpuSeconds.short) s, "
                + "of which sync \(synced.seconds.short) s")
        return Double(files) / seconds
    }
}
