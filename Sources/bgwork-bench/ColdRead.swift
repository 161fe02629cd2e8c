#if os(Linux)
import BackgroundWorkTransfers
import Foundation

/// The first look at the state file in a process, with the file in the page cache. Each sample is a process of its own.
struct ColdRead {
    enum Kind: String, CaseIterable {
        case bytes = "its bytes alone"
        case entry = "one entry"
        case entries = "all entries"
    }

    var folder: String
    var samples = 15

    func measure() async throws {
        var alone = Double.nan
        for kind in Kind.allCases {
            var times: [Double] = []
            for _ in 0..<samples {
                let text = try await CommandLineTool.output(
                    of: "/proc/\(getpid())/exe", ["state-cold", kind.rawValue, folder])
                times.append(Double(text.trimmingCharacters(in: .newlines)) ?? .nan)
            }
            if kind == .bytes { alone = times.median }
            print(
                "cold read of \(kind.rawValue): \(StateBenchmark.figure(times.median)) ms (median of \(samples) "
                    + "processes), \(StateBenchmark.figure(times.median / alone)) times the bytes alone")
        }
    }

    /// Prints the milliseconds that the look took.
    static func inThisProcess(_ kind: Kind, folder: String) throws {
        let store = StateBenchmark.store(in: folder)
        let clock = ContinuousClock()
        let start = clock.now
        let found =
            switch kind {
            case .bytes: try Data(contentsOf: URL(filePath: store.path)).count
            case .entry: try store.entry(session: StateBenchmark.session, task: 5000) == nil ? 0 : 1
            case .entries: try store.entries().count
            }
        let time = start.duration(to: clock.now)
        guard found > 0 else { throw CommandLineTool.Failed(description: "the state file has no entries") }
        print(time.inMilliseconds)
    }
}
#endif
