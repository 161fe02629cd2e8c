import BackgroundWorkModel
import Foundation
import TestSupport
import Testing

@testable import BackgroundWork

/// Odd but good: what is taken comes back byte for byte.
/// One after the other: each case opens a scheduler, and a process has only so many descriptors.
@Suite(.serialized)
struct BoundaryValueTests {
    var fixture: SchedulerFixture

    init() throws { fixture = try SchedulerFixture() }

    static let oddTexts = [
        "a/b", "a/0.0", "a\0b", "\0", "🚚👩‍👩‍👧‍👦", "e\u{301}", "\u{301}", "line\nbreak\r\n", "\"'`", "#", "a#1", "a#1#",
        "ends in a prepended mark \u{600}", "%_*?", "\\u0000", "{}", " ", "\u{202e}rtl", "\u{feff}", "\u{fffd}",
    ]

    private func bytes(_ text: String?) -> [UInt8] { Array((text ?? "nil").utf8) }

    @Test("ids, tags, queues, metadata and worker names are kept to the byte", arguments: oddTexts)
    mutating func texts(text: String) async throws {
        let seen = Recorder<WorkerContext>()
        try fixture.workers.register(text) { _, context in
            seen.add(context)
            return .success()
        }
        let scheduler = try await fixture.start()
        let events = scheduler.eventBus.events
        let request = TaskRequest(workerClassName: text, tags: [text], queue: text, metadata: [text: text])
        #expect(
            try await scheduler.enqueue(request, id: text, trigger: .oneTime(delay: .seconds(1))) == .accepted(id: text)
        )
        for query in [
            WorkQuery(ids: [text]), WorkQuery(tags: [text]), WorkQuery(workerClassNames: [text]),
            WorkQuery(queues: [text]),
        ] {
            let found = try await scheduler.infos(matching: query)
            #expect(found.count == 1, "\(query)")
        }
        #expect(try await scheduler.pause(queue: text))
        fixture.clock.advance(by: .seconds(1))
        await scheduler.waitUntilIdle()
        #expect(seen.values.isEmpty)
        #expect(try await scheduler.pausedQueues() == [text])
        #expect(try await scheduler.resume(queue: text))
        await scheduler.waitUntilIdle()
        let info = try #require(try await scheduler.info(id: text))
        let event = try #require(await SchedulerFixture.take(1, from: events).first)
        let context = try #require(seen.values.first)
        #expect(event.success)
        #expect(info.tags.count == 1 && info.metadata.count == 1)
        let kept = [
            info.id, info.workerClassName, info.queue, info.tags.first, info.metadata.first?.key,
            info.metadata.first?.value, event.workID, event.taskName, event.metadata.first?.key,
            event.metadata.first?.value, context.workID, context.metadata.first?.value,
        ]
        for value in kept { #expect(bytes(value) == bytes(text)) }
        await scheduler.shutdown()
    }

    @Test("a hand-off's token finds its way back, whatever the id", arguments: oddTexts)
    mutating func tokens(id: String) async throws {
        let tokens = Recorder<HandOffToken>()
        try fixture.workers.register("Tells") { _, context in
            tokens.add(context.handOffToken)
            return .handedOff(context.handOffToken)
        }
        let scheduler = try await fixture.start()
        try await scheduler.enqueue(TaskRequest(workerClassName: "Tells"), id: id)
        await scheduler.waitUntilIdle()
        let token = try #require(tokens.values.first)
        #expect(try await scheduler.complete(HandOffToken(rawValue: token.rawValue), with: .success()) == .completed)
        #expect(try await scheduler.info(id: id)?.state == .succeeded)
        await scheduler.shutdown()
    }

    @Test("ids that look alike but differ in their bytes are different work")
    mutating func lookAlikes() async throws {
        let started = Recorder<String>()
        let bothRun = Latch()
        let cancelled = Recorder<[UInt8]>()
        let gone = Latch()
        try fixture.workers.register("Long") { _, context in
            started.add(context.workID)
            if started.values.count == 2 { bothRun.open() }
            do { try await Task.sleep(for: .seconds(3600)) } catch {}
            if context.stopReason == .cancelled {
                cancelled.add(Array(context.workID.utf8))
                gone.open()
            }
            return .retry(reason: "stopped")
        }
        let scheduler = try await fixture.start()
        let (composed, decomposed) = ("\u{e9}", "e\u{301}")
        #expect(composed == decomposed)
        try await scheduler.enqueue(TaskRequest(workerClassName: "Long"), id: composed)
        try await scheduler.enqueue(TaskRequest(workerClassName: "Long"), id: decomposed)
        await bothRun.wait()
        #expect(try await scheduler.cancel(id: composed) == .cancelled(items: 1))
        await gone.wait()
        #expect(cancelled.values == [Array(composed.utf8)])
        #expect(try await scheduler.info(id: composed)?.state == .cancelled)
        #expect(try await scheduler.info(id: decomposed)?.state == .running)
        await scheduler.shutdown()
        #expect(try await scheduler.info(id: decomposed)?.state == .pending)
    }

    @Test("an id of 10,240 bytes is taken, for a request and for a chain")
    mutating func longID() async throws {
        let scheduler = try await fixture.start()
        let id = String(repeating: "🚚", count: 2560)
        #expect(id.utf8.count == 10_240)
        let request = TaskRequest(workerClassName: "W", tags: [String(repeating: "t", count: 1024)])
        try await scheduler.enqueue(request, id: id, trigger: .oneTime(delay: .seconds(1)))
        #expect(try await scheduler.infos(matching: WorkQuery(ids: [id])).map(\.id) == [id])
        let chainID = String(repeating: "\0", count: 10_240)
        try await scheduler.beginWith(request).then(request).enqueue(id: chainID)
        #expect(try await scheduler.infos(chainID: chainID).map(\.id) == [chainID + "/0.0", chainID + "/1.0"])
        #expect(try await scheduler.cancel(id: id) == .cancelled(items: 1))
        await scheduler.shutdown()
    }

    @Test("an input of exactly 10 MB reaches its worker whole")
    mutating func largestInput() async throws {
        let inputs = Recorder<String?>()
        try fixture.workers.register("Large") { input, _ in
            inputs.add(input)
            return .success()
        }
        let scheduler = try await fixture.start()
        let input = "\"" + String(repeating: "é", count: 4_999_999) + "\""
        #expect(input.utf8.count == 10_000_000)
        try await scheduler.enqueue(TaskRequest(workerClassName: "Large", inputJSON: input), id: "large")
        await scheduler.waitUntilIdle()
        #expect(inputs.values.first.map { bytes($0) == bytes(input) } == true)
        #expect(try await scheduler.info(id: "large")?.state == .succeeded)
        await scheduler.shutdown()
    }

    @Test("dates that lie far back are due at once, and a deadline in the distant future never comes")
    mutating func farDates() async throws {
        try fixture.workers.register("W") { _, _ in .success() }
        let scheduler = try await fixture.start()
        var request = TaskRequest(workerClassName: "W")
        request.deadline = .distantFuture
        let past = Date(timeIntervalSince1970: -Double.greatestFiniteMagnitude)
        let triggers: [TaskTrigger] = [
            .exact(.distantPast), .exact(past),
            .windowed(earliest: past, latest: fixture.clock.now.addingTimeInterval(1)),
        ]
        for (index, trigger) in triggers.enumerated() {
            try await scheduler.enqueue(request, id: "\(index)", trigger: trigger)
        }
        try await scheduler.enqueue(request, id: "late", trigger: .windowed(earliest: past, latest: .distantPast))
        await scheduler.waitUntilIdle()
        let states = try await scheduler.infos(matching: WorkQuery()).map(\.state)
        #expect(states == [.succeeded, .succeeded, .succeeded, .skipped])
        await scheduler.shutdown()
    }

    @Test("as many slots as an integer holds are no trouble")
    mutating func countlessSlots() async throws {
        try fixture.workers.register("W") { _, _ in .success() }
        let scheduler = try await fixture.start { $0.maximumConcurrentWork = .max }
        for round in 0..<3 {
            let submissions = (0..<20).map { index in
                var request = TaskRequest(workerClassName: "W")
                request.priority = WorkPriority.allCases[index % 4]
                return TaskSubmission(request, id: "\(round).\(index)")
            }
            try await scheduler.enqueue(contentsOf: submissions)
            await scheduler.waitUntilIdle()
        }
        #expect(try await scheduler.infos(matching: WorkQuery(states: [.succeeded])).count == 60)
        await scheduler.shutdown()
    }

    @Test("a wait without an upper bound does not overflow")
    mutating func boundlessBackoff() async throws {
        try fixture.workers.register("Retries") { _, _ in .retry(reason: "not yet") }
        let scheduler = try await fixture.start { $0.random = { 1 } }
        let year = Duration.seconds(366 * 86_400)
        let policy = RetryPolicy.exponential(
            initialDelay: year * 50, maximumDelay: .seconds(Int64.max), maximumAttempts: .max, jitter: 1)
        try await scheduler.enqueue(TaskRequest(workerClassName: "Retries", retryPolicy: policy), id: "r")
        for _ in 0..<70 {
            await scheduler.waitUntilIdle()
            let info = try #require(try await scheduler.info(id: "r"))
            #expect(try #require(info.due).timeIntervalSince(fixture.clock.now) <= 100 * 366 * 86_400)
            fixture.clock.advance(by: year * 100)
        }
        await scheduler.waitUntilIdle()
        #expect(try await scheduler.info(id: "r")?.state == .pending)
        await scheduler.shutdown()
    }
}
