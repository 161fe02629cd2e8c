import BackgroundWork
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// Requests that must not run twice, under the news of another scheduler.
@Suite(.timeLimit(.minutes(2)))
struct RunOnceTests {
    let fixture: SchedulerFixture
    private let begun = Recorder<String>()
    private let stopped = Recorder<String>()

    init() throws {
        var fixture = try SchedulerFixture()
        let (begun, stopped) = (begun, stopped)
        try fixture.workers.register("Once") { _, context in
            begun.add(context.workID)
            do {
                for _ in 0..<2 {
                    spin(for: .milliseconds(2))
                    await Task.yield()
                    try Task.checkCancellation()
                }
            } catch {
                stopped.add("\(context.workID): \(context.stopReason?.rawValue ?? "no reason")")
                throw error
            }
            return .success()
        }
        self.fixture = fixture
    }

    @Test("beside the traffic of another scheduler each request runs once, and none is stopped")
    func besideTraffic() async throws {
        let schedulers = try (0..<2).map { _ in try fixture.open { $0.maximumConcurrentWork = 8 } }
        for scheduler in schedulers { try await scheduler.start() }
        let once = TaskRequest(workerClassName: "Once", isIdempotent: false)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, scheduler) in schedulers.enumerated() {
                for caller in 0..<4 {
                    group.addTask {
                        for number in 0..<100 {
                            try await scheduler.enqueue(once, id: "\(index)-\(caller)-\(number)")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(
            try await comesTrue(within: .seconds(20)) {
                try await schedulers[0].executionHistory(limit: 1000).count == 800
            })
        let history = try await schedulers[0].executionHistory(limit: 1000)
        #expect(history.allSatisfy { $0.outcome == .succeeded }, "\(history.filter { $0.outcome != .succeeded })")
        #expect(stopped.values.isEmpty, "nobody has asked for a stop")
        #expect(begun.values.count == Set(begun.values).count, "some ran twice")
        #expect(Set(begun.values).count == 800)
        for scheduler in schedulers { await scheduler.shutdown() }
    }
}
