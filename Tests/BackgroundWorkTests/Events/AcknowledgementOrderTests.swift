import BackgroundWork
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// Durable events that are acknowledged in another order than they were delivered.
@Suite(.timeLimit(.minutes(5)))
struct AcknowledgementOrderTests {
    var fixture: SchedulerFixture

    init() throws {
        fixture = try SchedulerFixture()
        try fixture.workers.register("Quick") { _, _ in .success() }
    }

    private func run(_ ids: [String], on scheduler: WorkScheduler) async throws {
        try await scheduler.enqueue(
            contentsOf: ids.map { TaskSubmission(TaskRequest(workerClassName: "Quick"), id: $0) })
        await scheduler.waitUntilIdle()
    }

    @Test("what was acknowledged before a restart is not delivered again when the gap before it is closed")
    func gap() async throws {
        do {
            let scheduler = try fixture.open()
            try await scheduler.start()
            try await run((1...5).map { "w\($0)" }, on: scheduler)
            let stream = try await scheduler.eventBus.events(for: "ui")
            for event in await SchedulerFixture.take(5, from: stream) where event.sequence != 2 {
                try await event.acknowledge()
            }
            await scheduler.shutdown()
        }
        let scheduler = try fixture.open()
        try await scheduler.start()
        let stream = try await scheduler.eventBus.events(for: "ui")
        var events = stream.makeAsyncIterator()
        let missing = await events.next()
        #expect(missing?.sequence == 2)
        try await missing?.acknowledge()
        try await run(["w6"], on: scheduler)
        #expect(await events.next()?.sequence == 6)
        await scheduler.shutdown()
    }

    @Test("a gap that is closed while a page is being read brings nothing back either")
    func gapWithinOneStream() async throws {
        let scheduler = try fixture.open()
        try await scheduler.start()
        // More than one page.
        try await run((1...600).map { "w\($0)" }, on: scheduler)
        do {
            let stream = try await scheduler.eventBus.events(for: "ui")
            // Side by side, since one after the other each would wait for a commit of its own.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for event in await SchedulerFixture.take(600, from: stream) where event.sequence % 300 != 1 {
                    group.addTask { try await event.acknowledge() }
                }
                try await group.waitForAll()
            }
        }
        var stream: AsyncStream<TaskCompletionEvent>?
        #expect(
            try await comesTrue {
                stream = try? await scheduler.eventBus.events(for: "ui")
                return stream != nil
            })
        var events = try #require(stream).makeAsyncIterator()
        for sequence in [1, 301] {
            let event = await events.next()
            #expect(event?.sequence == Int64(sequence))
            try await event?.acknowledge()
        }
        try await run(["last"], on: scheduler)
        #expect(await events.next()?.sequence == 601)
        await scheduler.shutdown()
    }
}
