import BackgroundWork
import BackgroundWorkTesting
import Foundation
import Synchronization
import TestSupport
import Testing

/// Requests that must not run twice, under the news of another scheduler.
@Suite(.timeLimit(.minutes(5)))
struct NonIdempotentRunTests {
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

    @Test("a run that a shutdown interrupts fails, whether its worker breaks off or runs on", arguments: [true, false])
    func shutdown(breaksOff: Bool) async throws {
        var fixture = try SchedulerFixture()
        let begun = Recorder<String>()
        let isOver = Recorder<Bool>()
        try fixture.workers.register("Slow") { _, context in
            begun.add(context.workID)
            while isOver.values.isEmpty {
                if breaksOff { try Task.checkCancellation() }
                await Task.yield()
            }
            return .success()
        }
        let (first, second) = (try fixture.open(), try fixture.open())
        try await first.start()
        try await first.enqueue(TaskRequest(workerClassName: "Slow", isIdempotent: false), id: "one")
        #expect(try await comesTrue { begun.values == ["one"] })
        try await second.start()
        await first.shutdown(gracePeriod: breaksOff ? .seconds(30) : .milliseconds(100))
        let info = try await second.info(id: "one")
        #expect(info?.state == .failed)
        let message = try await second.executionHistory(limit: 1).first?.message ?? ""
        #expect(message.contains("not idempotent") && message.contains("shut down"), "\(message)")
        isOver.add(true)
        await second.shutdown()
        #expect(begun.values == ["one"])
    }

    @Test("a run that a shutdown interrupts before the worker is called runs in the next process instead")
    func shutdownBeforeTheCall() async throws {
        var fixture = try SchedulerFixture()
        let called = Recorder<String>()
        try fixture.workers.register(SlowToDecode.self) { SlowToDecode(called: called) }
        let (first, second) = (try fixture.open(), try fixture.open())
        try await first.start()
        try await first.enqueue(
            TaskRequest(workerClassName: "SlowToDecode", inputJSON: "1", isIdempotent: false), id: "one")
        #expect(try await comesTrue { SlowToDecode.Input.decodings.load(ordering: .acquiring) == 2 })
        await first.shutdown(gracePeriod: .milliseconds(100))
        #expect(try await second.info(id: "one")?.state == .pending)
        SlowToDecode.Input.mayGoOn.store(true, ordering: .releasing)
        try await second.start()
        #expect(try await comesTrue { try await second.info(id: "one")?.state == .succeeded })
        #expect(called.values == ["one"])
        await second.shutdown()
    }

    private struct SlowToDecode: Worker {
        struct Input: Codable, Sendable {
            static let decodings = Atomic(0)
            static let mayGoOn = Atomic(false)

            init(from decoder: any Decoder) throws {
                // The first is for the check when it is enqueued.
                if Self.decodings.add(1, ordering: .acquiringAndReleasing).newValue == 1 { return }
                while !Self.mayGoOn.load(ordering: .acquiring) { Thread.sleep(forTimeInterval: 0.001) }
            }
        }

        let called: Recorder<String>

        func doWork(_ input: Input, context: WorkerContext) async throws -> WorkerResult {
            called.add(context.workID)
            return .success()
        }
    }

    @Test("a worker that answers the stop with a retry runs again")
    func retry() async throws {
        var fixture = try SchedulerFixture()
        let begun = Recorder<String>()
        try fixture.workers.register("Polite") { _, context in
            begun.add(context.workID)
            if begun.values.count > 1 { return .success() }
            while context.stopReason == nil { await Task.yield() }
            return .retry(reason: "later")
        }
        let (first, second) = (try fixture.open(), try fixture.open())
        try await first.start()
        try await first.enqueue(TaskRequest(workerClassName: "Polite", isIdempotent: false), id: "one")
        #expect(try await comesTrue { begun.values == ["one"] })
        try await second.start()
        await first.shutdown(gracePeriod: .seconds(30))
        #expect(try await comesTrue { try await second.info(id: "one")?.state == .succeeded })
        #expect(begun.values == ["one", "one"])
        await second.shutdown()
    }
}
