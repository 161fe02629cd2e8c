import BackgroundWork
import Foundation

/// A folder of mixed files into an archive and out again, by the workers against `zip -r -6 -q` and `unzip -q`, each in a
/// process of its own, in turns.
struct ArchiveBenchmark {
    static let usage = "usage: bgwork-bench archive [--only compress|extract] [--bytes N] [--runs N] [--folder DIR]"

    private enum Part: String, CaseIterable { case compress, extract }

    private let options: BenchmarkOptions<Part>

    /// `nil` when the arguments make no sense.
    init?(_ arguments: some Sequence<String>) {
        let numbers = ["--bytes": 1 << 30, "--runs": 5]
        guard let options = BenchmarkOptions<Part>(arguments, numbers: numbers) else { return nil }
        self.options = options
    }

    func run() async throws {
        try NeededPrograms.check(["zip", "unzip"])
        let folder = "\(options.parent)/bgwork-bench-\(UUID().uuidString)"
        let files = folder + "/files"
        try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let count = try MixedFiles.make(in: files, bytes: options.number("--bytes"))
        print("\(count) files of \(options.number("--bytes")) bytes together: text, noise, many small ones")
        let least = try await leastMemory(folder)
        print(
            "memory of a process that compresses one small file: \(least.anonymous.short) MiB of its own, "
                + "\(least.resident.short) MiB with its libraries")
        for part in options.parts {
            switch part {
            case .compress: try await compress(files, folder)
            case .extract: try await extract(files, folder)
            }
        }
    }

    /// What the program, Foundation and a scheduler need anyway.
    private func leastMemory(_ folder: String) async throws -> MemoryWatch.Peak {
        let (small, report) = (folder + "/small", folder + "/memory")
        try Data("small".utf8).write(to: URL(filePath: small))
        _ = try await MeasuredProgram.run(
            CommandLine.arguments[0], ["archive-part", report, "compress", small, folder + "/small.zip"])
        return try memory(report)
    }

    private func memory(_ report: String) throws -> MemoryWatch.Peak {
        try JSONDecoder().decode(MemoryWatch.Peak.self, from: Data(contentsOf: URL(filePath: report)))
    }

    private func compress(_ files: String, _ folder: String) async throws {
        let (ours, theirs) = (folder + "/ours.zip", folder + "/theirs.zip")
        try await compare(
            "zip -r -6 -q", [theirs, ours], folder,
            ours: ["compress", files, ours],
            theirs: ["sh", "-c", "cd \"\(folder)\" && exec zip -r -6 -q theirs.zip files"])
        let sizes = try [ours, theirs].map { try FileManager.default.attributesOfItem(atPath: $0)[.size] as? Int ?? 0 }
        print("  length of the archive: \((Double(sizes[0]) / Double(sizes[1])).short) times that of zip")
    }

    private func extract(_ files: String, _ folder: String) async throws {
        let archive = folder + "/both.zip"
        try await CommandLineTool.run("sh", ["-c", "cd \"\(folder)\" && exec zip -r -6 -q both.zip files"])
        try await compare(
            "unzip -q", [folder + "/theirs", folder + "/ours"], folder,
            ours: ["extract", archive, folder + "/ours"], theirs: ["unzip", "-q", archive, "-d", folder + "/theirs"])
        try await CommandLineTool.run("diff", ["-r", folder + "/ours/files", files])
    }

    /// The median ratios of both, after a run of each that does not count. What they have written is deleted before each
    /// run.
    ///
    /// - Parameter written: what the other program writes, and what the worker writes.
    private func compare(
        _ name: String, _ written: [String], _ folder: String, ours: [String], theirs: [String]
    ) async throws {
        let report = folder + "/memory"
        func measure(_ program: String, _ arguments: [String]) async throws -> MeasuredProgram.Cost {
            try? FileManager.default.removeItem(atPath: written[program == theirs[0] ? 0 : 1])
            // The next one should not pay for what the last one has left to the disk.
            sync()
            return try await MeasuredProgram.run(program, arguments)
        }
        let part = [CommandLine.arguments[0], "archive-part", report] + ours
        _ = (
            try await measure(part[0], Array(part.dropFirst())), try await measure(theirs[0], Array(theirs.dropFirst()))
        )
        var (wall, cpu, own, resident): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
        for run in 1...options.number("--runs") {
            let first = run % 2 == 0
            var mine = first ? try await measure(part[0], Array(part.dropFirst())) : nil
            let other = try await measure(theirs[0], Array(theirs.dropFirst()))
            if !first { mine = try await measure(part[0], Array(part.dropFirst())) }
            guard let mine else { continue }
            let peak = try memory(report)
            wall.append(mine.seconds / other.seconds)
            cpu.append(mine.cpuSeconds / other.cpuSeconds)
            own.append(peak.anonymous)
            resident.append(peak.resident)
            print(
                "  \(mine.seconds.short) s, CPU \(mine.cpuSeconds.short) s; \(name) \(other.seconds.short) s, CPU "
                    + "\(other.cpuSeconds.short) s; ratios \(wall[run - 1].short) and \(cpu[run - 1].short); "
                    + "peak memory \(peak.anonymous.short) MiB of its own, \(peak.resident.short) MiB with libraries")
        }
        print(
            "  median ratio to \(name): time \(wall.median.short), CPU \(cpu.median.short); peak memory "
                + "\(own.median.short) MiB of its own, \(resident.median.short) MiB with libraries")
    }
}

/// One archive worker in a process of its own: `archive-part REPORT compress|extract INPUT OUTPUT`. Its peak memory goes
/// to the report.
enum ArchivePart {
    static func run(_ arguments: [String]) async throws {
        guard arguments.count == 4 else { exit(64) }
        let directory = URL(filePath: arguments[0] + ".work")
        defer { try? FileManager.default.removeItem(at: directory) }
        let scheduler = try WorkScheduler(
            configuration: .init(directory: directory), workers: WorkerRegistry())
        let watch = MemoryWatch()
        let events = scheduler.eventBus.events
        try await scheduler.start()
        let request: TaskRequest
        if arguments[1] == "compress" {
            let input = FileCompressionConfiguration(inputPath: arguments[2], outputPath: arguments[3])
            request = try TaskRequest(FileCompressionWorker.self, input: input)
        } else {
            let input = FileExtractionConfiguration(inputPath: arguments[2], outputPath: arguments[3])
            request = try TaskRequest(FileExtractionWorker.self, input: input)
        }
        try await scheduler.enqueue(request, id: "a")
        for await event in events where event.workID == "a" {
            guard event.outcome == .succeeded else {
                throw CommandLineTool.Failed(description: event.message ?? "failed")
            }
            break
        }
        await scheduler.shutdown()
        try JSONEncoder().encode(watch.end()).write(to: URL(filePath: arguments[0]), options: .atomic)
    }
}
