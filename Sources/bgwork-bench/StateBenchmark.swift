import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkTransfers
import Foundation

/// What the state file costs with ten thousand transfers in it: how often a burst rewrites it, what one rewrite takes,
/// and the duration of the first read in a process.
struct StateBenchmark {
    var count = 10_000
    /// Changes made one after the other, each with a rewrite of its own.
    var singles = 200

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bgwork-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = Self.store(in: folder.path)

        try await burst("\(count) concurrent puts into an empty file", on: store) {
            try await store.put(Self.entry($0))
        }
        let bytes = try Data(contentsOf: URL(filePath: store.path)).count
        print("the file has \(count) entries and \(bytes) bytes")
        try await ColdRead(folder: folder.path).measure()
        try await burst("\(count) concurrent puts", on: store) { try await store.put(Self.entry($0 + count)) }
        try await burst("\(count) concurrent removes", on: store) {
            try await store.remove(session: Self.session, task: Int64($0 + count))
        }
        try await burst("\(count) concurrent removes of nothing", on: store) {
            try await store.remove(session: Self.session, task: Int64($0 + count))
        }
        try await single(on: store)
    }

    static let session = "com.example.background-downloads"

    static func store(in folder: String) -> TransferStateStore {
        TransferStateStore(directory: folder, clock: SystemClock()) { print($0) }
    }

    static func entry(_ number: Int) -> TransferEntry {
        TransferEntry(
            sessionIdentifier: session, taskIdentifier: Int64(number),
            savePath: "/home/somebody/.local/share/example/library/downloads/2026/item-\(number)/original-file.bin",
            workerName: "BackgroundDownloadWorker", createdAt: WallTime(milliseconds: 1_790_000_000_000),
            reference: TransferReference(
                store: "5B0F6C1E-8C5E-4E0B-9E37-1E5D7C1B1A11",
                key: TransferKey(workID: "library-import-2026/0.\(number)", generation: 1)))
    }

    private func burst(
        _ title: String, on store: TransferStateStore, _ change: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        let before = store.rewrites
        let time = try await milliseconds {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<count { group.addTask { try await change(number) } }
                try await group.waitForAll()
            }
        }
        print("\(title): \(store.rewrites - before) rewrites, \(Self.figure(time)) ms")
    }

    private func single(on store: TransferStateStore) async throws {
        var times: [Double] = []
        for number in 0..<singles {
            times.append(try await milliseconds { try await store.put(Self.entry(number)) })
        }
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: store.path)))
        var alone: [Double] = []
        for _ in 0..<singles {
            alone.append(try await milliseconds { try DurableFile.replace(store.path + ".alone", with: bytes) })
        }
        let ratio = Self.figure(times.median / alone.median)
        print(
            "one put after the other: \(Self.figure(times.median)) ms each (median), \(ratio) times what replacing "
                + "the file with the same bytes takes (\(Self.figure(alone.median)) ms)")
        let nothing = try await milliseconds {
            for _ in 0..<singles { try await store.remove(session: "nobody", task: 1) }
        }
        print("a remove of nothing after the other: \(Self.figure(nothing / Double(singles) * 1000)) µs each")
    }

    static func figure(_ value: Double) -> String { String(format: "%.3f", value) }

    private struct SystemClock: WorkClock {
        var now: Date { Date() }
        var uptime: Duration { .zero }
        func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
        func adjustments() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
    }
}

/// The first read of the state file in a process, with the file in the page cache. Each sample is a process of its own.
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
