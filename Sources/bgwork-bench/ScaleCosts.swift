import BackgroundWork
import Foundation

/// One line of the scale benchmark's table: the same thing on a small queue and on a large one.
struct ScaleRow {
    var title: String
    var unit: String
    var small: Double
    var large: Double
    /// What counts: the ratio, or the difference in the row's unit.
    var result: Double
    var limit: Double

    static func ratio(_ title: String, small: Double, large: Double, limit: Double) -> ScaleRow {
        ScaleRow(title: title, unit: "ms", small: small, large: large, result: large / small, limit: limit)
    }

    static func difference(_ title: String, unit: String, small: Double, large: Double, limit: Double) -> ScaleRow {
        ScaleRow(title: title, unit: unit, small: small, large: large, result: large - small, limit: limit)
    }

    static let header = line("", "small", "large", "result", "limit")

    var text: String {
        let verdict = (result <= limit ? "" : "MISSED ") + Self.figure(limit)
        return Self.line(
            title, "\(Self.figure(small)) \(unit)", "\(Self.figure(large)) \(unit)", Self.figure(result), verdict)
    }

    /// The row of several runs, figure by figure.
    static func median(of rows: [ScaleRow]) -> ScaleRow? {
        guard var row = rows.first else { return nil }
        row.small = rows.map(\.small).median
        row.large = rows.map(\.large).median
        row.result = rows.map(\.result).median
        return row
    }

    private static func figure(_ value: Double) -> String { String(format: "%.3f", value) }

    private static func line(_ title: String, _ columns: String...) -> String {
        let right = columns.map { String(repeating: " ", count: max(0, 14 - $0.count)) + $0 }.joined()
        return title.padding(toLength: 54, withPad: " ", startingAt: 0) + right
    }
}

/// What one awaited enqueue costs on two queues that are open side by side, in turns, so that noise hits both.
struct EnqueueCost {
    var small: ScaleQueue
    var large: ScaleQueue
    var samples = 400

    func measure() async throws -> ScaleRow {
        let schedulers = [try small.scheduler(), try large.scheduler()]
        for scheduler in schedulers { try await scheduler.start() }
        var times: [[Double]] = [[], []]
        for _ in 0..<samples {
            for (index, scheduler) in schedulers.enumerated() {
                times[index].append(
                    try await milliseconds {
                        try await scheduler.enqueue(ScaleQueue.request, trigger: ScaleQueue.later)
                    })
            }
        }
        for scheduler in schedulers { await scheduler.shutdown() }
        return .ratio("one awaited enqueue", small: times[0].median, large: times[1].median, limit: 1.5)
    }
}

/// What it takes to open a queue and run its first due item until the event, on two queues in turns.
struct OpeningCost {
    var small: ScaleQueue
    var large: ScaleQueue
    var samples = 31

    func measure() async throws -> ScaleRow {
        var times: [[Double]] = [[], []]
        for _ in 0..<samples {
            for (index, queue) in [small, large].enumerated() {
                try await queue.addDueRequest()
                var opened: WorkScheduler?
                times[index].append(try await milliseconds { opened = try await queue.openAndRunFirst() })
                await opened?.shutdown()
            }
        }
        return .ratio(
            "opening, until the first due item's event", small: times[0].median, large: times[1].median, limit: 1.2)
    }
}
