import BackgroundWork
import Foundation
import TestSupport
import Testing

struct TaskEventBusTests {
    var fixture: SchedulerFixture

    init() throws {
        fixture = try SchedulerFixture()
        try fixture.workers.register("Quick") { _, _ in .success() }
    }

    func run(_ count: Int, on scheduler: WorkScheduler, prefix: String = "w") async throws {
        let stream = scheduler.eventBus.events
        for index in 0..<count {
            try await scheduler.enqueue(TaskRequest(workerClassName: "Quick"), id: "\(prefix)\(index)")
        }
        _ = await SchedulerFixture.take(count, from: stream)
    }

    @Test("a subscription begins at the access, and each has its own events")
    func liveSubscriptions() async throws {
        let scheduler = try fixture.open()
        try await scheduler.start()
        let first = scheduler.eventBus.events
        try await run(2, on: scheduler, prefix: "a")
        let second = scheduler.eventBus.events
        try await run(1, on: scheduler, prefix: "b")
        #expect(await SchedulerFixture.take(3, from: first).map(\.sequence) == [1, 2, 3])
        #expect(await SchedulerFixture.take(1, from: second).map(\.sequence) == [3])
        await scheduler.shutdown()
    }

    @Test("a reader that is far behind misses events, learns how many, and delays nothing")
    func slowReader() async throws {
        let scheduler = try fixture.open()
        try await scheduler.start()
        let slow = scheduler.eventBus.events
        let total = TaskEventBus.liveBufferSize + 10
        for batch in 0..<(total / 47) { try await run(47, on: scheduler, prefix: "x\(batch)-") }
        var iterator = slow.makeAsyncIterator()
        for _ in 0..<TaskEventBus.liveBufferSize { _ = await iterator.next() }
        try await run(1, on: scheduler, prefix: "last")
        let next = await iterator.next()
        #expect(next?.missedBefore == Int64(total / 47 * 47 - TaskEventBus.liveBufferSize))
        await scheduler.shutdown()
    }

    @Test("a durable subscriber gets what it has not acknowledged, also from a later process")
    func durable() async throws {
        do {
            let scheduler = try fixture.open()
            try await scheduler.start()
            try await run(5, on: scheduler)
            let stream = try await scheduler.eventBus.events(for: "ui")
            for event in await SchedulerFixture.take(5, from: stream) where event.sequence != 3 && event.sequence < 5 {
                try await event.acknowledge()
            }
            await scheduler.shutdown()
        }
        let scheduler = try fixture.open()
        try await scheduler.start()
        let again = try await scheduler.eventBus.events(for: "ui")
        var iterator = again.makeAsyncIterator()
        #expect(await iterator.next()?.sequence == 3)
        #expect(await iterator.next()?.sequence == 5)
        async let live = iterator.next()
        try await run(1, on: scheduler, prefix: "new")
        #expect(await live?.sequence == 6)
        await scheduler.shutdown()
    }

    @Test("a name has one holder at a time, and is free again when its stream ends")
    func holder() async throws {
        let scheduler = try fixture.open()
        try await scheduler.start()
        try await run(1, on: scheduler)
        let other = try fixture.open()
        do {
            let stream = try await scheduler.eventBus.events(for: "ui")
            await #expect(throws: SubscriptionError.held(name: "ui")) { try await scheduler.eventBus.events(for: "ui") }
            await #expect(throws: SubscriptionError.held(name: "ui")) { try await other.eventBus.events(for: "ui") }
            #expect(await SchedulerFixture.take(1, from: stream).count == 1)
        }
        await scheduler.shutdown()
        let stream = try await other.eventBus.events(for: "ui")
        #expect(await SchedulerFixture.take(1, from: stream).count == 1)
        try await other.eventBus.removeSubscriber("ui")
        await other.shutdown()
    }

    @Test("the shared bus joins the live events of all schedulers, and has no durable ones")
    func shared() async throws {
        let scheduler = try fixture.open()
        try await scheduler.start()
        let all = TaskEventBus.shared.events
        let seen = Recorder<String>()
        let reader = Task {
            for await event in all where event.workID.hasPrefix("shared-") {
                seen.add(event.workID)
                break
            }
        }
        // Other tests publish there as well, so many that one event alone may be missed.
        var round = 0
        while seen.values.isEmpty {
            try await run(1, on: scheduler, prefix: "shared-\(round)-")
            round += 1
        }
        await reader.value
        await #expect(throws: SubscriptionError.notOfOneScheduler) {
            try await TaskEventBus.shared.events(for: "ui")
        }
        await scheduler.shutdown()
    }
}
