import BackgroundWork
import Foundation
import TestSupport
import Testing

/// Several schedulers on one directory, in one process and in several.
@Suite(.serialized, .fewAtATime, .timeLimit(.minutes(5)))
struct SharedDirectoryTests {
    private let shared: SharedDirectory

    init() throws { shared = try SharedDirectory() }

    private func request(_ worker: String, queue: String = TaskRequest.defaultQueue) -> TaskRequest {
        TaskRequest(workerClassName: worker, queue: queue)
    }

    /// 2,000 requests, and the events of all of them, read by a durable subscriber.
    private func submissions(_ worker: String) -> [TaskSubmission] {
        (0..<2000).map { TaskSubmission(request(worker), id: "item-\($0)") }
    }

    private func expectEachOnce(_ scheduler: WorkScheduler) async throws {
        var ids: Set<String> = []
        var count = 0
        for await event in try await scheduler.eventBus.events(for: "test") {
            #expect(event.outcome == .succeeded, "\(event)")
            ids.insert(event.workID)
            count += 1
            if ids.count == 2000 { break }
        }
        #expect(count == 2000, "an item has two events")
        let lines = shared.lines
        #expect(lines.count == 2000, "an item ran twice")
        #expect(Set(lines) == ids)
    }

    @Test("two schedulers in one process share the work, and nothing runs twice")
    func oneProcess() async throws {
        // Each waits in its first runs until the other has begun one.
        let begun = [Latch(), Latch()]
        let schedulers = try (0...1).map { index in
            try shared.scheduler(
                slots: 4,
                workers: [
                    "Line": { [shared] context in
                        begun[index].open()
                        await begun[1 - index].wait()
                        try shared.append(context.workID)
                        return .success()
                    }
                ])
        }
        for scheduler in schedulers { try await scheduler.start() }
        try await schedulers[0].enqueue(contentsOf: submissions("Line"))
        try await expectEachOnce(schedulers[1])
        for scheduler in schedulers { await scheduler.shutdown() }
    }

    @Test("two processes share the work, and nothing runs twice")
    func twoProcesses() async throws {
        let hasBegun = Latch()
        let otherHasRun = Latch()
        let scheduler = try shared.scheduler(
            slots: 4,
            workers: [
                "Line": { [shared] context in
                    hasBegun.open()
                    await otherHasRun.wait()
                    try shared.append(context.workID)
                    return .success()
                }
            ])
        try await scheduler.start()
        try await scheduler.enqueue(contentsOf: submissions("Line"))
        await hasBegun.wait()
        let host = try shared.startHost(slots: 4)
        var lines = host.lines.makeAsyncIterator()
        #expect(await lines.next("ran") != nil)
        otherHasRun.open()
        try await expectEachOnce(scheduler)
        await scheduler.shutdown()
    }

    @Test("an enqueue wakes an idle scheduler, when the one that enqueues has not been started or has no free slot")
    func wakes() async throws {
        let idle = try shared.scheduler(workers: ["Line": { _ in .success() }])
        let live = idle.eventBus.events
        var events = live.makeAsyncIterator()
        try await idle.start()
        let notStarted = try shared.scheduler()
        try await notStarted.enqueue(request("Line"), id: "a")
        #expect(await events.next()?.workID == "a")

        let holds = Latch()
        let busy = try shared.scheduler(workers: [
            "Line": { _ in .failure(message: "it ran where no slot was free") },
            "Hold": { _ in
                holds.open()
                try await Task.sleep(for: .seconds(86_400))
                return .success()
            },
        ])
        // Only the busy one is there, so that it is the one which takes this.
        await idle.shutdown()
        try await busy.start()
        try await busy.enqueue(request("Hold"), id: "hold")
        await holds.wait()
        let other = try shared.scheduler(workers: ["Line": { _ in .success() }])
        let otherLive = other.eventBus.events
        var otherEvents = otherLive.makeAsyncIterator()
        try await other.start()
        try await busy.enqueue(request("Line"), id: "b")
        let event = await otherEvents.next()
        #expect(event?.workID == "b" && event?.outcome == .succeeded, "\(String(describing: event))")
        for scheduler in [notStarted, busy, other] { await scheduler.shutdown() }
    }

    @Test("an enqueue wakes an idle scheduler in another process")
    func wakesProcess() async throws {
        let host = try shared.startHost()
        var lines = host.lines.makeAsyncIterator()
        #expect(await lines.reach("started"))
        let scheduler = try shared.scheduler()
        for id in ["a", "b"] {
            try await scheduler.enqueue(request("Line"), id: id)
            #expect(await lines.reach("ran \(id)"))
        }
        await scheduler.shutdown()
    }

    @Test("a scheduler without an inotify instance is notified by others nevertheless")
    func withoutInotify() async throws {
        let host = try shared.startHost(withoutInotify: true)
        var lines = host.lines.makeAsyncIterator()
        #expect(await lines.reach("started"))
        let scheduler = try shared.scheduler()
        try await scheduler.enqueue(request("Line"), id: "a")
        #expect(await lines.reach("ran a"))
        await scheduler.shutdown()
    }

    @Test("events that another process writes arrive on the live stream")
    func liveEvents() async throws {
        let holds = Latch()
        let scheduler = try shared.scheduler(workers: [
            "Hold": { _ in
                holds.open()
                try await Task.sleep(for: .seconds(86_400))
                return .success()
            }
        ])
        var events = scheduler.eventBus.events.makeAsyncIterator()
        try await scheduler.start()
        // Its only slot is taken, so the host runs the rest.
        try await scheduler.enqueue(request("Hold"), id: "hold")
        await holds.wait()
        let host = try shared.startHost()
        for id in ["a", "b", "c"] {
            try await scheduler.enqueue(request("Line"), id: id)
            let event = await events.next()
            #expect(event?.workID == id && event?.outcome == .succeeded, "\(String(describing: event))")
        }
        #expect(shared.lines == ["a", "b", "c"])
        await scheduler.shutdown()
        withExtendedLifetime(host) {}
    }

    @Test("events that this process writes arrive on the live stream of the other")
    func liveEventsThere() async throws {
        let host = try shared.startHost()
        var lines = host.lines.makeAsyncIterator()
        let scheduler = try shared.scheduler(workers: ["Line": { _ in .success() }])
        try await scheduler.enqueue(request("Hold"), id: "hold")
        #expect(await lines.reach("holds hold"))
        try await scheduler.start()
        for id in ["a", "b", "c"] {
            try await scheduler.enqueue(request("Line"), id: id)
            #expect(await lines.reach("event \(id)"))
        }
        #expect(shared.lines.isEmpty, "the host ran it")
        await scheduler.shutdown()
    }

    @Test("a cancellation stops a worker that runs in another process, and tells it why")
    func cancels() async throws {
        let host = try shared.startHost()
        var lines = host.lines.makeAsyncIterator()
        let scheduler = try shared.scheduler()
        try await scheduler.enqueue(request("Hold"), id: "hold")
        #expect(await lines.reach("holds hold"))
        #expect(try await scheduler.cancel(id: "hold") == .cancelled(items: 1))
        #expect(await lines.next("stopped") == "stopped hold cancelled")
        #expect(try await scheduler.info(id: "hold")?.state == .cancelled)
        // The slot is free again.
        try await scheduler.enqueue(request("Line"), id: "next")
        #expect(await lines.reach("ran next"))
        await scheduler.shutdown()
    }

    @Test("work of a killed process is taken over by a running one")
    func takesOver() async throws {
        let host = try shared.startHost()
        var lines = host.lines.makeAsyncIterator()
        let scheduler = try shared.scheduler(workers: [
            "Hold": { context in .success(message: "attempt \(context.runAttempt)") }
        ])
        try await scheduler.enqueue(request("Hold"), id: "hold")
        #expect(await lines.reach("holds hold"))
        var events = scheduler.eventBus.events.makeAsyncIterator()
        try await scheduler.start()
        await host.process.killAndWait()
        let event = await events.next()
        #expect(event?.workID == "hold" && event?.outcome == .succeeded, "\(String(describing: event))")
        #expect(event?.message == "attempt 1")
        await scheduler.shutdown()
    }

    @Test("a queue that one process pauses is paused in the other, and continues there when it is resumed")
    func pauses() async throws {
        let host = try shared.startHost()
        var lines = host.lines.makeAsyncIterator()
        #expect(await lines.reach("started"))
        let scheduler = try shared.scheduler()
        #expect(try await scheduler.pause(queue: "q"))
        // Due work is taken in order, so the second would come after the first if that could run.
        try await scheduler.enqueue(request("Line", queue: "q"), id: "paused")
        try await scheduler.enqueue(request("Line"), id: "other")
        #expect(await lines.next("ran") == "ran other")
        #expect(try await scheduler.resume(queue: "q"))
        #expect(await lines.next("ran") == "ran paused")
        await scheduler.shutdown()
    }

    @Test("a queue's limit of one run at a time holds across processes")
    func limits() async throws {
        let hasBegun = Latch()
        let hostIsThere = Latch()
        let scheduler = try shared.scheduler(
            slots: 4,
            workers: [
                "Span": { [shared] context in
                    hasBegun.open()
                    await hostIsThere.wait()
                    try shared.append("begin \(context.workID)")
                    for _ in 0..<20 { await Task.yield() }
                    try shared.append("end \(context.workID)")
                    return .success()
                }
            ])
        try await scheduler.start()
        try await enqueueSpans(0..<100, in: scheduler)
        await hasBegun.wait()
        let host = try shared.startHost(slots: 4)
        var lines = host.lines.makeAsyncIterator()
        #expect(await lines.reach("started"))
        #expect(shared.lines.isEmpty, "the host did not wait for the one that runs")
        hostIsThere.open()
        try await awaitEvents(100, by: scheduler)
        // The quicker process may have run all but the first; these are the host's.
        await scheduler.shutdown()
        let onlooker = try shared.scheduler()
        try await enqueueSpans(100..<200, in: onlooker)
        #expect(await lines.reach("event item-199"))
        try await awaitEvents(200, by: onlooker)
        await onlooker.shutdown()
        let log = shared.lines
        #expect(log.count == 400)
        for index in stride(from: 0, to: log.count - 1, by: 2) {
            let id = log[index].dropFirst("begin ".count)
            #expect(log[index] == "begin \(id)" && log[index + 1] == "end \(id)", "two ran at once")
        }
    }

    private func enqueueSpans(_ numbers: Range<Int>, in scheduler: WorkScheduler) async throws {
        try await scheduler.enqueue(
            contentsOf: numbers.map { TaskSubmission(request("Span", queue: "one"), id: "item-\($0)") })
    }

    /// Waits until there are so many events in all.
    private func awaitEvents(_ count: Int, by scheduler: WorkScheduler) async throws {
        var seen = 0
        for await event in try await scheduler.eventBus.events(for: "test") {
            #expect(event.outcome == .succeeded, "\(event)")
            seen += 1
            if seen == count { break }
        }
        #expect(seen == count)
    }
}
