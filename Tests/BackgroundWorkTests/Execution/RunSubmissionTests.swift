import BackgroundWork
import Foundation
import TestSupport
import Testing

/// Work that enqueues more work: with its success, or not at all.
struct RunSubmissionTests {
    var fixture: SchedulerFixture
    let runs = Recorder<String>()

    init() throws {
        fixture = try SchedulerFixture()
        let runs = runs
        try fixture.workers.register("Child") { _, context in
            runs.add(context.workID)
            return .success()
        }
    }

    let child = TaskRequest(workerClassName: "Child")

    private func ids(_ scheduler: WorkScheduler) async throws -> [String] {
        try await scheduler.infos(matching: WorkQuery()).map(\.id)
    }

    @Test("what a run enqueues comes with its success only, and once")
    mutating func withSuccess() async throws {
        let child = child
        let attempts = Recorder<Int>()
        try fixture.workers.register("Parent") { _, context in
            attempts.add(context.runAttempt)
            let given = try context.enqueue(child, id: "named")
            let made = try context.enqueue(child, trigger: .oneTime(delay: .seconds(5)))
            #expect(given == "named" && !made.isEmpty)
            return attempts.values.count < 3 ? .retry(reason: "again", after: .seconds(10)) : .success()
        }
        let scheduler = try await fixture.start()
        try await scheduler.enqueue(TaskRequest(workerClassName: "Parent"), id: "p")
        for _ in 0..<2 {
            await scheduler.waitUntilIdle()
            #expect(try await ids(scheduler) == ["p"])
            fixture.clock.advance(by: .seconds(10))
        }
        await scheduler.waitUntilIdle()
        #expect(attempts.values == [1, 2, 3])
        #expect(runs.values == ["named"])
        #expect(try await ids(scheduler).count == 3)
        fixture.clock.advance(by: .seconds(5))
        await scheduler.waitUntilIdle()
        #expect(runs.values.count == 2)
        await scheduler.shutdown()
    }

    @Test(
        "a run that does not succeed enqueues nothing", arguments: ["failure", "throws", "snooze", "handOff", "output"])
    mutating func withoutSuccess(ending: String) async throws {
        struct Thrown: Error {}
        let child = child
        try fixture.workers.register("Parent") { _, context in
            try context.enqueue(child, id: "child")
            try context.enqueueChain([[child]], id: "chain")
            switch ending {
            case "failure": return .failure(message: "no")
            case "throws": throw Thrown()
            case "snooze": return .snooze(for: .seconds(60))
            case "handOff": return .handedOff(context.handOffToken)
            default: return .success(outputJSON: "no JSON")
            }
        }
        let scheduler = try await fixture.start()
        try await scheduler.enqueue(TaskRequest(workerClassName: "Parent", retryPolicy: .never), id: "p")
        await scheduler.waitUntilIdle()
        #expect(try await ids(scheduler) == ["p"])
        #expect(runs.values.isEmpty)
        await scheduler.shutdown()
    }

    @Test("a cancelled run enqueues nothing, although it returns a success")
    mutating func cancelled() async throws {
        let child = child
        let (started, gate) = (Latch(), Latch())
        try fixture.workers.register("Parent") { _, context in
            try context.enqueue(child, id: "child")
            started.open()
            await gate.wait()
            return .success()
        }
        let scheduler = try await fixture.start()
        try await scheduler.enqueue(TaskRequest(workerClassName: "Parent"), id: "p")
        await started.wait()
        #expect(try await scheduler.cancel(id: "p") == .cancelled(items: 1))
        gate.open()
        await scheduler.waitUntilIdle()
        #expect(try await ids(scheduler) == ["p"])
        #expect(try await scheduler.executionHistory().map(\.outcome) == [.cancelled])
        await scheduler.shutdown()
    }

    @Test("a run may enqueue its own successor under its own id")
    mutating func succession() async throws {
        let runs = runs
        try fixture.workers.register("Self") { input, context in
            runs.add(input ?? "")
            let number = input.flatMap { Int($0) } ?? 0
            if number < 5 {
                try context.enqueue(
                    TaskRequest(workerClassName: "Self", inputJSON: "\(number + 1)"), id: context.workID,
                    trigger: .oneTime(delay: .seconds(1)))
            }
            return .success(outputJSON: input)
        }
        let scheduler = try await fixture.start()
        try await scheduler.enqueue(TaskRequest(workerClassName: "Self", inputJSON: "1"), id: "s")
        for _ in 0..<10 {
            await scheduler.waitUntilIdle()
            fixture.clock.advance(by: .seconds(1))
        }
        #expect(runs.values == ["1", "2", "3", "4", "5"])
        let history = try await scheduler.executionHistory(workID: "s")
        #expect(history.map(\.outcome) == Array(repeating: .succeeded, count: 5))
        #expect(try await ids(scheduler) == ["s"])
        await scheduler.shutdown()
    }

    @Test("a run may enqueue a chain, which begins with its success")
    mutating func chain() async throws {
        let child = child
        try fixture.workers.register("Parent") { _, context in
            let id = try context.enqueueChain([[child, child], [child]], id: "c")
            #expect(id == "c")
            return .success()
        }
        let scheduler = try await fixture.start()
        try await scheduler.enqueue(TaskRequest(workerClassName: "Parent"), id: "p")
        await scheduler.waitUntilIdle()
        #expect(runs.values.sorted() == ["c/0.0", "c/0.1", "c/1.0"])
        #expect(runs.values.last == "c/1.0")
        #expect(try await scheduler.info(id: "p")?.state == .succeeded)
        await scheduler.shutdown()
    }

    @Test("an id that a chain's member has fails the run, says so, and enqueues nothing of it")
    mutating func takenID() async throws {
        let child = child
        try fixture.workers.register("Parent") { _, context in
            try context.enqueue(child, id: "before")
            try context.enqueue(child, id: "c/0.0")
            try context.enqueueChain([[child]], id: "after")
            return .success(message: "done")
        }
        let scheduler = try await fixture.start()
        var later = child
        later.delay = .seconds(60)
        try await scheduler.beginWith(later).enqueue(id: "c")
        try await scheduler.beginWith(TaskRequest(workerClassName: "Parent")).then(child).enqueue(id: "p")
        await scheduler.waitUntilIdle()
        let info = try #require(try await scheduler.info(id: "p/0.0"))
        #expect(info.state == .failed)
        #expect(info.message?.contains("\"c/0.0\" belongs to a member of the chain \"c\"") == true)
        #expect(try await ids(scheduler) == ["c/0.0", "p/0.0", "p/1.0"])
        #expect(try await scheduler.info(id: "p/1.0")?.state == .failed)
        #expect(runs.values.isEmpty)
        #expect(try await scheduler.executionHistory().count == 2)
        await scheduler.shutdown()
    }

    @Test("a request that cannot be accepted throws in the worker at once")
    mutating func validation() async throws {
        let child = child
        let errors = Recorder<EnqueueError>()
        let year10000 = Date(timeIntervalSince1970: 253_402_300_800)
        try fixture.workers.register("Parent") { _, context in
            var malformed = child
            malformed.inputJSON = "{"
            var hopeless = child
            hopeless.deadline = year10000
            let attempts: [() throws -> String] = [
                { try context.enqueue(malformed) }, { try context.enqueue(hopeless) },
                { try context.enqueue(child, id: "") },
                { try context.enqueue(child, trigger: .oneTime(delay: .seconds(-1))) },
                { try context.enqueue(child, trigger: .cron("@daily", timeZone: "Mars")) },
                { try context.enqueueChain([]) }, { try context.enqueueChain([[child], []], id: "c") },
                { try context.enqueueChain([[child]], id: String(repeating: "x", count: 10_241)) },
            ]
            for attempt in attempts {
                do { _ = try attempt() } catch let error as EnqueueError { errors.add(error) }
            }
            return .success()
        }
        let scheduler = try await fixture.start()
        try await scheduler.enqueue(TaskRequest(workerClassName: "Parent"), id: "p")
        await scheduler.waitUntilIdle()
        #expect(errors.values.count == 8)
        #expect(
            errors.values.dropFirst() == [
                .invalidDeadline(workerClassName: "Child"), .invalidID(bytes: 0, limit: 10_240),
                .invalidDelay(.seconds(-1)),
                .unknownTimeZone("Mars"), .emptyStep(chainID: nil, step: 0), .emptyStep(chainID: "c", step: 1),
                .invalidID(bytes: 10_241, limit: 10_240),
            ])
        #expect(try await ids(scheduler) == ["p"])
        #expect(try await scheduler.info(id: "p")?.state == .succeeded)
        await scheduler.shutdown()
    }

    @Test("each occurrence of recurring work enqueues with its own success")
    mutating func recurring() async throws {
        let child = child
        try fixture.workers.register("Parent") { _, context in
            try context.enqueue(child, id: "child \(context.occurrence)")
            return .success()
        }
        let scheduler = try await fixture.start()
        try await scheduler.enqueue(
            TaskRequest(workerClassName: "Parent"), id: "p", trigger: .periodic(interval: .seconds(900)))
        for _ in 0..<3 {
            await scheduler.waitUntilIdle()
            fixture.clock.advance(by: .seconds(900))
        }
        #expect(runs.values == ["child 0", "child 1", "child 2"])
        await scheduler.shutdown()
    }
}
