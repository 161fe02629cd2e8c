#if os(Linux)
import Foundation

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
                    throw CommandLineTool.Failed(description: "scale-opening said \"\(output)\", which is no number")
                }
                peaks[index].append(kilobytes / 1024)
            }
        }
        return .difference(
            "peak memory of opening and running", unit: "MB", small: peaks[0].median, large: peaks[1].median, limit: 32)
    }
}
#endif
