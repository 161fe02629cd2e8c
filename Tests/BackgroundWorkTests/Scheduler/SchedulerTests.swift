import BackgroundWork
import Foundation
import TestSupport
import Testing

struct SchedulerTests {
    struct Greeting: Worker {
        static let aliases = ["com.example.Greeting"]
        struct Input: Codable, Sendable { var name: String }
        func doWork(_ input: Input, context: WorkerContext) async throws -> WorkerResult {
            .success(message: "hello \(input.name)", outputJSON: "\"\(input.name)\"")
        }
    }

    struct Failure: Error {}

    var fixture: SchedulerFixture

    init() throws { fixture = try SchedulerFixture() }

    @Test("a typed worker runs under its name and its aliases, and each request has one event")
    mutating func typedWorker() async throws {
        try fixture.workers.register(Greeting.self) { Greeting() }
        let scheduler = try fixture.open()
        let stream = scheduler.eventBus.events
        try await scheduler.start()
        let result = try await scheduler.enqueue(TaskRequest(Greeting.self, input: .init(name: "Ada")), id: "one")
        #expect(result == .accepted(id: "one"))
        try await scheduler.enqueue(
            TaskRequest(workerClassName: "com.example.Greeting", inputJSON: #"{"name":"Grace"}"#), id: "two")
        let events = await SchedulerFixture.take(2, from: stream)
        #expect(Set(events.map(\.workID)) == ["one", "two"])
        #expect(events.allSatisfy { $0.success && $0.attempt == 1 })
        #expect(Set(events.compactMap(\.message)) == ["hello Ada", "hello Grace"])
        let info = try #require(try await scheduler.info(id: "one"))
        #expect(info.state == .succeeded)
        #expect(info.outputJSON == "\"Ada\"")
        await scheduler.shutdown()
    }

    @Test("a chain hands outputs on, runs the requests of a step in parallel, and keeps the order of steps")
    mutating func chain() async throws {
        let bothRun = Latch()
        let started = Recorder<String>()
        try fixture.workers.register("Parallel") { _, context in
            started.add(context.workID)
            // Neither can continue alone: the step deadlocks unless both run at once.
            if started.values.count == 2 { bothRun.open() }
            await bothRun.wait()
            return .success(outputJSON: "\"\(context.workID)\"")
        }
        try fixture.workers.register("Join") { _, context in
            .success(outputJSON: "[\(context.previousOutputs.joined(separator: ","))]")
        }
        let scheduler = try fixture.open()
        let stream = scheduler.eventBus.events
        try await scheduler.start()
        let parallel = TaskRequest(workerClassName: "Parallel")
        try await scheduler.beginWith([parallel, parallel]).then(TaskRequest(workerClassName: "Join"))
            .enqueue(id: "c")
        let events = await SchedulerFixture.take(3, from: stream)
        #expect(events.last?.workID == "c/1.0")
        #expect(events.last?.outputJSON == #"["c/0.0","c/0.1"]"#)
        #expect(try await scheduler.infos(chainID: "c").map(\.state) == [.succeeded, .succeeded, .succeeded])
        await scheduler.shutdown()
    }

    @Test("no more than the configured number run at once")
    mutating func concurrency() async throws {
        let running = Recorder<Int>()
        let gate = Latch()
        let twoRun = Latch()
        try fixture.workers.register("Counted") { _, _ in
            running.add(1)
            if running.values.count == 2 { twoRun.open() }
            await gate.wait()
            return .success()
        }
        let scheduler = try fixture.open { $0.maximumConcurrentWork = 2 }
        let stream = scheduler.eventBus.events
        for index in 0..<10 { try await scheduler.enqueue(TaskRequest(workerClassName: "Counted"), id: "w\(index)") }
        try await scheduler.start()
        await twoRun.wait()
        // Every claim and start that could follow runs on the runner before this answer.
        _ = try await scheduler.info(id: "w0")
        #expect(running.values.count == 2)
        gate.open()
        #expect(await SchedulerFixture.take(10, from: stream).count == 10)
        await scheduler.shutdown()
    }

    @Test("an unknown worker is a failure that names it")
    mutating func unknownWorker() async throws {
        let scheduler = try fixture.open()
        let stream = scheduler.eventBus.events
        try await scheduler.start()
        try await scheduler.enqueue(TaskRequest(workerClassName: "Nobody"), id: "unknown")
        let event = await SchedulerFixture.take(1, from: stream).first
        #expect(event?.outcome == .failed && event?.attempt == 1)
        #expect(event?.message?.contains("\"Nobody\"") == true)
        await scheduler.shutdown()
    }

    @Test("malformed JSON is rejected when it is enqueued")
    mutating func malformedInput() async throws {
        let scheduler = try fixture.open()
        await #expect(throws: EnqueueError.self) {
            try await scheduler.enqueue(TaskRequest(workerClassName: "W", inputJSON: "{"), id: "a")
        }
        #expect(try await scheduler.info(id: "a") == nil)
        await scheduler.shutdown()
    }

    @Test("a second worker under one name or alias is rejected, and the first stays")
    mutating func duplicateNames() throws {
        try fixture.workers.register(Greeting.self) { Greeting() }
        let builtIn = ["BackgroundDownloadWorker", "IosBackgroundDownloadWorker", "BackgroundUploadWorker"]
        for name in ["Greeting", "com.example.Greeting"] + builtIn {
            #expect(throws: WorkerRegistrationError.nameTaken(name)) {
                try fixture.workers.register(name) { _, _ in .success() }
            }
        }
        #expect(throws: WorkerRegistrationError.emptyName) {
            try fixture.workers.register("") { _, _ in .success() }
        }
    }

    @Test("a thrown error and a retry are tried again until the policy gives up")
    mutating func retries() async throws {
        let attempts = Recorder<Int>()
        try fixture.workers.register("Throws") { _, context in
            attempts.add(context.runAttempt)
            throw Failure()
        }
        let scheduler = try fixture.open()
        let stream = scheduler.eventBus.events
        try await scheduler.start()
        let policy = RetryPolicy.linear(initialDelay: .milliseconds(1), maximumAttempts: 3)
        try await scheduler.enqueue(TaskRequest(workerClassName: "Throws", retryPolicy: policy), id: "t")
        let event = await SchedulerFixture.take(1, from: stream).first
        #expect(event?.outcome == .failed)
        #expect(event?.attempt == 3)
        #expect(event?.message?.contains("Throws threw: Failure()") == true)
        #expect(event?.message?.contains("3 attempts") == true)
        #expect(attempts.values == [1, 2, 3])
        await scheduler.shutdown()
    }

    @Test("cancelling a running worker cancels its task, and its result is ignored")
    mutating func cancelRunning() async throws {
        let started = Latch()
        let reasons = Recorder<StopReason?>()
        let ended = Latch()
        try fixture.workers.register("Long") { _, context in
            started.open()
            do { try await Task.sleep(for: .seconds(3600)) } catch {}
            reasons.add(context.stopReason)
            ended.open()
            return .success(message: "too late")
        }
        let scheduler = try fixture.open()
        let stream = scheduler.eventBus.events
        try await scheduler.start()
        try await scheduler.enqueue(TaskRequest(workerClassName: "Long"), id: "long")
        await started.wait()
        #expect(try await scheduler.cancel(id: "long") == .cancelled(items: 1))
        await ended.wait()
        #expect(reasons.values == [.cancelled])
        let event = await SchedulerFixture.take(1, from: stream).first
        #expect(event?.outcome == .cancelled)
        #expect(try await scheduler.cancel(id: "long") == .alreadyFinished)
        #expect(try await scheduler.cancel(id: "nobody") == .unknown)
        await scheduler.shutdown()
        #expect(try await scheduler.info(id: "long")?.state == .cancelled)
    }

    @Test("a hand-off is not a finish; its outcome counts once, also before the worker has returned")
    mutating func handOff() async throws {
        let tokens = Recorder<HandOffToken>()
        let handed = Latch()
        try fixture.workers.register("HandsOff") { _, context in
            tokens.add(context.handOffToken)
            handed.open()
            return .handedOff(context.handOffToken, message: "gone out")
        }
        let scheduler = try fixture.open()
        let stream = scheduler.eventBus.events
        try await scheduler.start()
        try await scheduler.beginWith(TaskRequest(workerClassName: "HandsOff"))
            .then(TaskRequest(workerClassName: "Nobody")).enqueue(id: "c")
        await handed.wait()
        let token = try #require(tokens.values.first)
        #expect(try await scheduler.complete(token, with: .success(outputJSON: "7")) == .completed)
        #expect(try await scheduler.complete(token, with: .failure(message: "no")) == .alreadyCompleted)
        await #expect(throws: CompletionError.self) {
            try await scheduler.complete(HandOffToken(rawValue: "nonsense"), with: .success())
        }
        let events = await SchedulerFixture.take(2, from: stream)
        #expect(events.map(\.outcome) == [.succeeded, .failed])
        #expect(events.first?.outputJSON == "7")
        await scheduler.shutdown()
    }

    @Test("shutting down puts running work back without counting an attempt, and the next scheduler runs it at once")
    mutating func shutdownPutsBack() async throws {
        let started = Latch()
        let attempts = Recorder<Int>()
        try fixture.workers.register("Long") { _, context in
            attempts.add(context.runAttempt)
            if attempts.values.count > 1 { return .success() }
            started.open()
            try await Task.sleep(for: .seconds(3600))
            return .success()
        }
        let first = try fixture.open()
        try await first.start()
        try await first.enqueue(TaskRequest(workerClassName: "Long"), id: "long")
        await started.wait()
        await first.shutdown()
        #expect(try await first.info(id: "long")?.state == .pending)
        let second = try fixture.open()
        let stream = second.eventBus.events
        try await second.start()
        let event = await SchedulerFixture.take(1, from: stream).first
        #expect(event?.success == true)
        #expect(attempts.values == [1, 1])
        await second.shutdown()
        await #expect(throws: EnqueueError.shuttingDown) {
            try await second.enqueue(TaskRequest(workerClassName: "Long"))
        }
    }

    @Test("delayed work waits for its time")
    mutating func delay() async throws {
        try fixture.workers.register("Now") { _, _ in .success() }
        let scheduler = try fixture.open()
        let stream = scheduler.eventBus.events
        try await scheduler.start()
        let request = TaskRequest(workerClassName: "Now")
        try await scheduler.enqueue(request, id: "later", trigger: .oneTime(delay: .seconds(3600)))
        try await scheduler.enqueue(request, id: "soon", trigger: .oneTime(delay: .milliseconds(30)))
        let event = await SchedulerFixture.take(1, from: stream).first
        #expect(event?.workID == "soon")
        #expect(try await scheduler.info(id: "later")?.state == .pending)
        await scheduler.shutdown()
    }
}
