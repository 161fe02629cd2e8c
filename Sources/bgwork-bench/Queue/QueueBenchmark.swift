import Foundation

/// What durable work costs: rates, processor time, commits and latencies, of this build, of another one beside it, and
/// of what others do.
///
/// All series run in turns, round after round, so that what the machine does besides hits all of them; the figures are
/// medians over the rounds.
struct QueueBenchmark {
    /// How the program ends.
    enum End: Int32 {
        case fine = 0
        /// A workload of this build failed.
        case failed = 1
        /// A figure is worse than in the report that it was compared with.
        case slower = 3
    }

    private let options: QueueOptions
    private let folder: URL

    init(_ options: QueueOptions) {
        self.options = options
        folder = URL(filePath: options.folder).appending(path: "bgwork-bench-\(UUID().uuidString)")
    }

    func run() async throws -> End {
        // Read first: a wrong path is to be found out before the minutes of measuring.
        let earlier = try options.compare.map { try QueueReport(path: $0) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let rows = QueueRow.all.filter { options.groups.contains($0.group) }
        var measurement = QueueMeasurement(
            series: rows.reduce(into: []) { $0.formUnion($1.quantity.series) }, options: options, folder: folder)
        try await measurement.run()
        let report = QueueReport(
            rows: rows, results: measurement.results, rounds: options.rounds, against: options.against)
        switch options.json {
        case .standardOutput: print(try report.json, terminator: "")
        case .file(let path):
            try Data(report.json.utf8).write(to: URL(filePath: path))
            show(report)
        case nil: show(report)
        }
        guard let earlier else { return measurement.hasFailed ? .failed : .fine }
        let comparison = QueueComparison(old: earlier, new: report, threshold: options.threshold)
        if options.json == .standardOutput { note(comparison.text) } else { print(comparison.text) }
        if measurement.hasFailed { return .failed }
        return comparison.isSlower ? .slower : .fine
    }

    private func show(_ report: QueueReport) {
        print("queue: rounds: \(report.rounds); processors: \(report.processors); medians")
        print(QueueTable(report: report).text)
        print("A million pending requests: bgwork-bench scale.")
    }
}

/// Progress and trouble go to standard error, so that the figures can be piped.
func note(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
