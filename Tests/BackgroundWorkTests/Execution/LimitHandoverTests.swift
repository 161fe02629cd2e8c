import BackgroundWork
import Foundation
import Synchronization
import TestSupport
import Testing

/// Limits of one run at a time under the calls of many.
@Suite(.timeLimit(.minutes(5)))
struct LimitHandoverTests {
    var fixture: SchedulerFixture

    init() throws { fixture = try SchedulerFixture() }

    enum Limit: CaseIterable { case queue, worker }

    @Test("what a limit of one holds back begins when the run before it ends", arguments: Limit.allCases)
    mutating func oneAtATime(limit: Limit) async throws {
        let ran = Recorder<String>()
        try fixture.workers.register("W") { input, context in
            for _ in 0..<(input.flatMap { Int($0) } ?? 0) { await Task.yield() }
            ran.add(context.workID)
            return .success()
        }
        let scheduler = try fixture.open {
            $0.maximumConcurrentWork = 8
            if limit == .queue { $0.queueLimits = ["one": QueueLimits(maximumConcurrent: 1)] }
            if limit == .worker { $0.workerLimits = ["W": 1] }
        }
        try await scheduler.start()
        let queue = limit == .queue ? "one" : TaskRequest.defaultQueue
        var total = 0
        // A slower worker ends at another moment of the claims beside it.
        for (round, yields) in [0, 1, 3, 10, 30, 100].enumerated() {
            let request = TaskRequest(workerClassName: "W", inputJSON: "\(yields)", queue: queue)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for caller in 0..<10 {
                    group.addTask {
                        for number in 0..<10 {
                            try await scheduler.enqueue(request, id: "\(round)-\(caller)-\(number)")
                        }
                    }
                }
                try await group.waitForAll()
            }
            total += 100
            // Each needs two commits, which may be slow on a busy disk; a stall means that no more follow.
            while case let count = ran.values.count, count < total {
                let continues = try await comesTrue(within: .seconds(30)) { ran.values.count > count }
                if !continues {
                    let health = try await scheduler.health()
                    Issue.record("round \(round), after \(count) of \(total) nothing begins: \(health)")
                    return
                }
            }
        }
        #expect(Set(ran.values).count == total && ran.values.count == total)
        await scheduler.shutdown()
    }

    @Test(
        "short work in two schedulers never runs beyond a limit, although more is claimed ahead",
        arguments: Limit.allCases)
    mutating func twoSchedulers(limit: Limit) async throws {
        let running = Mutex((now: 0, most: 0, total: 0))
        try fixture.workers.register("W") { _, context in
            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.total + 1) }
            await Task.yield()
            running.withLock { $0.now -= 1 }
            return .success()
        }
        let schedulers = try (0..<2).map { _ in
            try fixture.open {
                $0.maximumConcurrentWork = 8
                if limit == .queue { $0.queueLimits = ["few": QueueLimits(maximumConcurrent: 3)] }
                if limit == .worker { $0.workerLimits = ["W": 3] }
            }
        }
        for scheduler in schedulers { try await scheduler.start() }
        let request = TaskRequest(workerClassName: "W", queue: "few")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for caller in 0..<20 {
                group.addTask { for _ in 0..<50 { try await schedulers[caller % 2].enqueue(request) } }
            }
            try await group.waitForAll()
        }
        while case let total = running.withLock({ $0.total }), total < 1000 {
            #expect(try await comesTrue(within: .seconds(60)) { running.withLock { $0.total } > total })
        }
        for scheduler in schedulers { await scheduler.shutdown() }
        #expect(running.withLock { $0.most } <= 3)
        #expect(running.withLock { $0.total } == 1000)
    }

    @Test("what is enqueued while the only run ends begins, although it was just held back", arguments: Limit.allCases)
    mutating func atTheEnd(limit: Limit) async throws {
        let ends = Recorder<String>()
        let begun = Recorder<Latch>()
        try fixture.workers.register("W") { input, context in
            if input == "true" {
                let gate = Latch()
                begun.add(gate)
                await gate.wait()
            }
            ends.add(context.workID)
            return .success()
        }
        let queue = limit == .queue ? "one" : TaskRequest.defaultQueue
        for round in 0..<40 {
            let scheduler = try fixture.open {
                if limit == .queue { $0.queueLimits = ["one": QueueLimits(maximumConcurrent: 1)] }
                if limit == .worker { $0.workerLimits = ["W": 1] }
            }
            let first = TaskRequest(workerClassName: "W", inputJSON: "true", queue: queue)
            try await scheduler.enqueue(first, id: "first-\(round)")
            // A program's main task has a high priority, and what it begins inherits it.
            try await Task(priority: .high) { try await scheduler.start() }.value
            #expect(try await comesTrue { begun.values.count == round + 1 })
            // Calls beside it, so that what comes at the same time shares a commit.
            let isOver = Recorder<Bool>()
            let noise = (0..<4).map { number in
                Task { while isOver.values.isEmpty { try await scheduler.resume(queue: "other-\(number)") } }
            }
            let second = TaskRequest(workerClassName: "W", inputJSON: "false", queue: queue)
            try await scheduler.enqueue(second, id: "second-\(round)")
            begun.values[round].open()
            let hasRun = try await comesTrue { ends.values.contains("second-\(round)") }
            isOver.add(true)
            for task in noise { try await task.value }
            try #require(hasRun, "round \(round): it is due, and nothing begins")
            await scheduler.shutdown()
        }
    }
}
