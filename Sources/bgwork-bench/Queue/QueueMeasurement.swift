import Foundation

/// Runs the series that the chosen rows need, in turns.
struct QueueMeasurement {
    private(set) var results = QueueResults()
    /// Whether a series of this build gave nothing.
    private(set) var hasFailed = false
    private let series: [QueueSeries]
    private let huey: HueyPeer?
    private let builds: [(build: QueueResults.Build, process: PartProcess)]
    private let options: QueueOptions
    private let folder: URL
    /// Those of the other build that failed once are not tried again: an older one does not know them.
    private var leftOut: Set<String> = []
    private var filled: [String: URL] = [:]

    init(series names: Set<String>, options: QueueOptions, folder: URL) {
        series = QueueSeries.all.filter { names.contains($0.name) }
        huey = names.contains(QueueSeries.huey) ? HueyPeer(python: options.python, folder: folder) : nil
        builds = [(.this, .thisBuild)] + (options.against.map { [(.other, PartProcess(program: $0))] } ?? [])
        self.options = options
        self.folder = folder
    }

    mutating func run() async throws {
        if let huey, !huey.isThere { note(huey.instruction) }
        for round in 0..<options.rounds {
            for series in series where round < series.mostRounds {
                note("round \(round + 1) of \(options.rounds): \(series.name)")
                // Each build goes first in half of the rounds.
                for (build, process) in round.isMultiple(of: 2) ? builds : builds.reversed() {
                    await measure(series, build: build, process: process, round: round)
                }
                if series.name == "plain" { await measureHuey(round: round) }
            }
        }
    }

    private mutating func measure(
        _ series: QueueSeries, build: QueueResults.Build, process: PartProcess, round: Int
    ) async {
        if build == .other, series.isPeer || leftOut.contains(series.name) { return }
        do {
            var figures: [String: [Double]] = [:]
            for _ in 0..<series.processes {
                let start = try await directory(for: series.start, build: build, process: process)
                let found = try await process.run(series.part, series.options + ["folder=\(folder.path)"] + start)
                for (name, value) in found { figures[name, default: []].append(value) }
            }
            results.add(figures.mapValues(\.median), of: series.name, build: build, round: round)
        } catch {
            note("\(series.name), \(build) build: \(error)")
            if build == .this { hasFailed = true } else { leftOut.insert(series.name) }
        }
    }

    /// Each build fills its own, as they may not understand each other's files.
    private mutating func directory(
        for start: QueueSeries.Start, build: QueueResults.Build, process: PartProcess
    ) async throws -> [String] {
        guard case .filled(let count) = start else { return [] }
        let name = "filled-\(build)-\(count)"
        let directory = folder.appending(path: name)
        let option = ["directory=\(directory.path)"]
        if filled[name] == nil {
            _ = try await process.run(.fill, option + ["count=\(count)"])
            filled[name] = directory
        }
        return option
    }

    private mutating func measureHuey(round: Int) async {
        guard let huey, huey.isThere else { return }
        do {
            let rate = try await huey.rate()
            // It is what both builds are compared with.
            for build in builds.map(\.build) {
                results.add(["rate": rate], of: QueueSeries.huey, build: build, round: round)
            }
        } catch {
            note("Huey is left out: \(error)")
        }
    }
}
