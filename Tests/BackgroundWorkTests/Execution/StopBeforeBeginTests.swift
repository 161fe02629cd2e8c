import BackgroundWork
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// Work that is cancelled or whose queue is paused at the moment at which it is claimed.
@Suite(.timeLimit(.minutes(5)))
struct StopBeforeBeginTests {
    var fixture: SchedulerFixture

    init() throws { fixture = try SchedulerFixture() }

    @Test("work that is cancelled right after it was enqueued never begins, or its worker is told")
    mutating func cancel() async throws {
        let begun = Recorder<String>()
        let told = Recorder<String>()
        let latches = Recorder<Latch>()
        try fixture.workers.register("Wait") { _, context in
            begun.add(context.workID)
            let latch = Latch()
            latches.add(latch)
            await withTaskCancellationHandler {
                await latch.wait()
            } onCancel: {
                latch.open()
            }
            if Task.isCancelled { told.add(context.workID) }
            return .success()
        }
        let scheduler = try fixture.open { $0.maximumConcurrentWork = 400 }
        try await scheduler.start()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for caller in 0..<4 {
                group.addTask {
                    for number in 0..<100 {
                        let id = "\(caller)-\(number)"
                        try await scheduler.enqueue(TaskRequest(workerClassName: "Wait"), id: id)
                        #expect(try await scheduler.cancel(id: id) == .cancelled(items: 1))
                    }
                }
            }
            try await group.waitForAll()
        }
        _ = try await comesTrue(within: .seconds(5)) { Set(told.values) == Set(begun.values) }
        let deceived = Set(begun.values).subtracting(told.values)
        #expect(deceived.isEmpty, "\(deceived.count) workers ran on although their event says cancelled")
        let history = try await scheduler.executionHistory(limit: 1000)
        #expect(history.count == 400 && history.allSatisfy { $0.outcome == .cancelled })
        for latch in latches.values { latch.open() }
        await scheduler.shutdown()
    }

    @Test("nothing of a queue begins after its pause has returned, although it was being claimed")
    mutating func pause() async throws {
        let paused = Recorder<String>()
        let late = Recorder<String>()
        try fixture.workers.register("Look") { _, context in
            if paused.values.contains(context.workID) { late.add(context.workID) }
            return .success()
        }
        let scheduler = try fixture.open()
        try await scheduler.start()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for caller in 0..<4 {
                group.addTask {
                    for number in 0..<50 {
                        let name = "\(caller)-\(number)"
                        try await scheduler.enqueue(TaskRequest(workerClassName: "Look", queue: name), id: name)
                        try await scheduler.pause(queue: name)
                        paused.add(name)
                    }
                }
            }
            try await group.waitForAll()
        }
        await scheduler.waitUntilIdle()
        #expect(late.values.isEmpty, "\(late.values.count) of 200 began after their queue had been paused")
        await scheduler.shutdown()
    }
}
