import BackgroundWorkModel
import TestSupport
import Testing

@testable import BackgroundWork

/// Ids, tags, queues and other texts are kept and found byte for byte.
/// One after the other: each case opens a scheduler, and a process has only so many descriptors.
@Suite(.serialized)
struct TextPreservationTests {
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
}
