import BackgroundWork
import Foundation

/// One workload of `queue`, in a process of its own, so that the processor time is of that workload alone and other
/// builds of this program can be driven alike. Prints its figures as one line of JSON.
enum QueuePart: String {
    case throughput, pair, member, chain, parallel, single, idle, opening, fill, identifiers, bare

    /// How long a part may take. A scheduler that hangs must not hang the benchmark.
    private static let mostSeconds: UInt32 = 300

    func run(_ options: PartOptions) async throws {
        alarm(Self.mostSeconds)
        let figures: [String: Double] =
            switch self {
            case .throughput: try await ThroughputPart(options).measure()
            case .pair: try await PairPart(options).measure()
            case .member: try await PairMemberPart(options).measure()
            case .chain: try await ChainPart.steps(options).measure()
            case .parallel: try await ChainPart.parallel(options).measure()
            case .single: try await SingleEnqueuePart(options).measure()
            case .idle: try await IdleQueuePart(options).measure()
            case .opening: try await OpeningPart(options).measure()
            case .fill: try await FillPart(options).measure()
            case .identifiers: try await IdentifierPart(options).measure()
            case .bare: try BareInsertPart(options).measure()
            }
        print(String(decoding: try JSONEncoder().encode(figures), as: UTF8.self))
    }
}

/// A build of this program, and how its parts are run.
struct PartProcess: Sendable {
    static let thisBuild = PartProcess(
        program: Bundle.main.executablePath ?? ProcessInfo.processInfo.arguments.first ?? "bgwork-bench")

    var program: String

    /// The figures of one part, run in a process of its own.
    func run(_ part: QueuePart, _ options: [String]) async throws -> [String: Double] {
        let output = try await CommandLineTool.output(of: program, ["queue-part", part.rawValue] + options)
        return try JSONDecoder().decode([String: Double].self, from: Data(output.utf8))
    }
}

/// What a part is told on its command line: words of the form `name=value`.
struct PartOptions {
    private var values: [String: String] = [:]

    /// `nil` when a word is not of that form.
    init?(_ words: some Sequence<String>) {
        for word in words {
            let sides = word.split(separator: "=", maxSplits: 1)
            guard sides.count == 2 else { return nil }
            values[String(sides[0])] = String(sides[1])
        }
    }

    func number(_ name: String, default value: Int) -> Int { values[name].flatMap { Int($0) } ?? value }

    func text(_ name: String, default value: String) -> String { values[name] ?? value }

    func isSet(_ name: String) -> Bool { values[name] == "1" }

    /// The queue's directory: the one that was prepared, or a new name in the benchmark's folder.
    var directory: URL { values["directory"].map { URL(filePath: $0) } ?? newFolder() }

    /// The name of a folder that does not exist yet.
    func newFolder() -> URL {
        let parent = values["folder"].map { URL(filePath: $0) } ?? FileManager.default.temporaryDirectory
        return parent.appending(path: "part-\(UUID().uuidString)")
    }
}

/// Wall time and processor time from a moment on.
struct Meter {
    private let start = ContinuousClock.now
    private let processor = Self.processorSeconds

    /// Rate and processor time of so many jobs since then.
    func figures(jobs: Int) -> [String: Double] {
        let seconds = start.duration(to: .now).inMilliseconds / 1000
        let cpu = Self.processorSeconds - processor
        return ["rate": Double(jobs) / seconds, "wall": seconds * 1e6 / Double(jobs), "cpu": cpu * 1e6 / Double(jobs)]
    }

    /// User and system time of all threads of this process.
    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
