import BackgroundWork
import Foundation

/// How much slower a queue becomes with its number of waiting items: everything on a nearly empty queue and on one with
/// a million pending items, in the same run.
struct ScaleBenchmark {
    var pending = 1_000_000
    var runs = 3

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bgwork-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func queue(_ name: String) -> ScaleQueue { ScaleQueue(directory: folder.appending(path: name)) }
        let (empty, thousand, large) = (queue("empty"), queue("thousand"), queue("large"))
        try await thousand.fill(1000)
        try await large.fill(pending)
        let blocked = try large.copy(to: folder.appending(path: "blocked"))
        try await fillWithWorkThatMayNotRun(blocked)

        print("scale: \(pending) pending items, \(runs) runs")
        var rows: [[ScaleRow]] = []
        for run in 1...runs {
            let figures = [
                try await EnqueueCost(small: thousand, large: large).measure(),
                try await OpeningCost(small: empty, large: large).measure(),
                try await MemoryCost(small: empty, large: large).measure(),
                try await ClaimCost(title: "claim; large: all due tomorrow", small: empty, large: large).measure(),
                try await ClaimCost(title: "claim; as many again due, but held back", small: empty, large: blocked)
                    .measure(),
            ]
            print("run \(run)\n\(ScaleRow.header)")
            for row in figures { print(row.text) }
            rows.append(figures)
        }
        print("median\n\(ScaleRow.header)")
        for index in rows[0].indices { print(ScaleRow.median(of: rows.map { $0[index] })?.text ?? "") }
    }

    /// Half of it in a paused queue, half under a condition that does not hold.
    private func fillWithWorkThatMayNotRun(_ queue: ScaleQueue) async throws {
        let scheduler = try queue.scheduler()
        try await scheduler.pause(queue: "paused")
        await scheduler.shutdown()
        var paused = ScaleQueue.request
        paused.queue = "paused"
        var waiting = ScaleQueue.request
        waiting.constraints = [.charging]
        try await queue.fill(pending / 2, with: paused, trigger: .oneTime())
        try await queue.fill(pending / 2, with: waiting, trigger: .oneTime())
    }
}

/// The peak memory of a process that opens a queue and runs its first due item, in a process of its own.
struct MemoryCost {
    var small: ScaleQueue
    var large: ScaleQueue
    var samples = 5

    /// The child's part: opens, runs, and says how much memory that took at most, in kilobytes.
    static func openInThisProcess(_ directory: String) async throws {
        let scheduler = try await ScaleQueue(directory: URL(filePath: directory)).openAndRunFirst()
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        print(line.filter(\.isNumber))
        await scheduler.shutdown()
    }

    func measure() async throws -> ScaleRow {
        var peaks: [[Double]] = [[], []]
        for _ in 0..<samples {
            for (index, queue) in [small, large].enumerated() {
                try await queue.addDueRequest()
                let output = try await CommandLineTool.output(
                    of: "/proc/\(getpid())/exe", ["scale-opening", queue.directory.path])
                guard let kilobytes = Double(output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
                    throw CommandLineTool.Failed(
                        description: "the output of scale-opening, \"\(output)\", is not a number")
                }
                peaks[index].append(kilobytes / 1024)
            }
        }
        return .difference(
            "peak memory of opening and running", unit: "MB", small: peaks[0].median, large: peaks[1].median, limit: 32)
    }
}
