import BackgroundWorkModel
import BackgroundWorkTesting
import TestSupport
import Testing

@testable import BackgroundWork

/// Work that a user has started is shown by the system, and goes on in the background.
@Suite(.timeLimit(.minutes(5)))
struct ContinuedRunTests {
    var stage: LaunchStage

    init() async throws { stage = try await LaunchStage() }

    /// A worker that reports half of its work, and goes on when the gate opens. It stops when it is asked to.
    private mutating func registerHalves(gate: Latch, runs: Recorder<StopReason?>) throws {
        try stage.fixture.workers.register("Half") { _, context in
            context.report(WorkerProgress(fraction: 0.5, message: "half of \(context.workID)"))
            while context.stopReason == nil, !gate.isOpen { await Task.yield() }
            runs.add(context.stopReason)
            if context.stopReason != nil { throw CancellationError() }
            return .success()
        }
    }

    @Test("the system shows the progress of the work; its end completes the task, once, with success")
    mutating func finishes() async throws {
        let (gate, runs) = (Latch(), Recorder<StopReason?>())
        try registerHalves(gate: gate, runs: runs)
        let scheduler = try await stage.start()
        try await scheduler.enqueue(TaskRequest(workerClassName: "Half"), id: "a")
        try await scheduler.enqueue(
            TaskRequest(workerClassName: "Half"), id: "later", trigger: .oneTime(delay: .seconds(60)))
        let run = try await scheduler.continueInBackground(
            ids: ["a", "later"], title: "Export", onExpiration: .cancelWork)
        let request = try #require(stage.continued.pending.first)
        #expect(request.identifier.hasPrefix("app.continued."))
        #expect(request.title == "Export" && request.mayWait)
        let launch = try stage.continued.launch()
        #expect(try await launch.shows("Export", "half of a", 500, of: 2000))
        run.update(title: "Almost")
        #expect(try await launch.shows("Almost", "half of a", 500, of: 2000))
        gate.open()
        #expect(try await launch.shows("Almost", "half of a", 1000, of: 2000))
        #expect(launch.completions.values.isEmpty)
        stage.fixture.clock.advance(by: .seconds(60))
        #expect(await run.end == .finished(success: true))
        #expect(launch.completions.values == [true])
        launch.task.expire()
        launch.task.complete(success: false)
        #expect(launch.completions.values == [true])
        #expect(runs.values == [nil, nil])
        await scheduler.shutdown()
        #expect(stage.notices.values.isEmpty)
    }

    @Test("a chain counts with all of its steps, and one that fails makes the end no success")
    mutating func chain() async throws {
        let gate = Latch()
        try stage.fixture.workers.register("Good") { _, _ in .success() }
        try stage.fixture.workers.register("Bad") { _, _ in
            await gate.wait()
            return .failure(message: "no")
        }
        let scheduler = try await stage.start()
        let good = TaskRequest(workerClassName: "Good")
        try await scheduler.beginWith(good).then(TaskRequest(workerClassName: "Bad")).then(good).then(good)
            .enqueue(id: "film")
        let run = try await scheduler.continueInBackground(
            ids: ["film"], title: "Film", subtitle: "four steps", onExpiration: .keepWork)
        let launch = try stage.continued.launch()
        #expect(try await launch.shows("Film", "four steps", 1000, of: 4000))
        run.update(title: "Film", subtitle: "three left")
        #expect(try await launch.shows("Film", "three left", 1000, of: 4000))
        gate.open()
        #expect(await run.end == .finished(success: false))
        #expect(launch.completions.values == [false])
        await scheduler.shutdown()
    }

    @Test("an expiry cancels the work, if the host wants that, also of a chain")
    mutating func expiryCancels() async throws {
        let (gate, runs) = (Latch(), Recorder<StopReason?>())
        try registerHalves(gate: gate, runs: runs)
        let scheduler = try await stage.start()
        let half = TaskRequest(workerClassName: "Half")
        try await scheduler.beginWith(half).then(half).enqueue(id: "c")
        let run = try await scheduler.continueInBackground(ids: ["c"], title: "Export", onExpiration: .cancelWork)
        let launch = try stage.continued.launch()
        #expect(try await launch.shows("Export", "half of c/0.0", 500, of: 2000))
        try await scheduler.enqueue(half, id: "other")
        launch.task.expire()
        #expect(await run.end == .expired)
        #expect(launch.completions.values == [false])
        #expect(try await scheduler.infos(chainID: "c").map(\.state) == [.cancelled, .cancelled])
        #expect(try await comesTrue { runs.values == [.cancelled] })
        gate.open()
        await scheduler.waitUntilIdle()
        #expect(try await scheduler.info(id: "other")?.state == .succeeded)
        await scheduler.shutdown()
    }

    @Test("an expiry puts the work back, if the host wants that: it goes on 10 s later, and no attempt is counted")
    mutating func expiryKeeps() async throws {
        let (gate, runs) = (Latch(), Recorder<StopReason?>())
        try registerHalves(gate: gate, runs: runs)
        let scheduler = try await stage.start()
        let events = scheduler.eventBus.events
        try await scheduler.enqueue(TaskRequest(workerClassName: "Half"), id: "a")
        let run = try await scheduler.continueInBackground(ids: ["a"], title: "Export", onExpiration: .keepWork)
        let launch = try stage.continued.launch()
        #expect(try await launch.shows("Export", "half of a", 500, of: 1000))
        try await scheduler.enqueue(TaskRequest(workerClassName: "Half"), id: "other")
        launch.task.expire()
        #expect(await run.end == .expired)
        #expect(launch.completions.values == [false])
        #expect(runs.values == [.expired])
        #expect(try await scheduler.info(id: "a")?.state == .pending)
        #expect(try await comesTrue { try await scheduler.info(id: "other")?.state == .running })
        gate.open()
        await scheduler.waitUntilIdle()
        #expect(runs.values == [.expired, nil])
        stage.fixture.clock.advance(by: .seconds(10))
        await scheduler.waitUntilIdle()
        #expect(runs.values == [.expired, nil, nil])
        let ends = await SchedulerFixture.take(2, from: events)
        #expect(ends.map(\.workID) == ["other", "a"])
        #expect(ends.map(\.attempt) == [1, 1])
        await scheduler.shutdown()
    }

    @Test("a worker that ignores the expiry delays the completion by 3 s, and its result counts")
    mutating func stubborn() async throws {
        let gate = Latch()
        try stage.fixture.workers.register("Stubborn") { _, context in
            context.report(WorkerProgress(fraction: 0.25))
            await gate.wait()
            return .success()
        }
        let scheduler = try await stage.start()
        try await scheduler.enqueue(TaskRequest(workerClassName: "Stubborn"), id: "a")
        let run = try await scheduler.continueInBackground(ids: ["a"], title: "Export", onExpiration: .keepWork)
        let launch = try stage.continued.launch()
        #expect(try await launch.shows("Export", "", 250, of: 1000))
        launch.task.expire()
        let isCompleted = try await comesTrue {
            stage.fixture.clock.advance(by: .milliseconds(500))
            return !launch.completions.values.isEmpty
        }
        #expect(isCompleted)
        #expect(await run.end == .expired)
        gate.open()
        await scheduler.waitUntilIdle()
        #expect(try await scheduler.info(id: "a")?.state == .succeeded)
        await scheduler.shutdown()
    }

    @Test("work that ends before its task runs withdraws the request, and a task that runs nevertheless is completed")
    mutating func endsFirst() async throws {
        try stage.fixture.workers.register("W") { _, _ in .success() }
        let gate = Latch()
        try stage.fixture.workers.register("Gated") { _, _ in
            await gate.wait()
            return .success()
        }
        let scheduler = try await stage.start()
        try await scheduler.enqueue(TaskRequest(workerClassName: "Gated"), id: "a")
        let run = try await scheduler.continueInBackground(ids: ["a"], title: "A", onExpiration: .keepWork)
        gate.open()
        #expect(await run.end == .finished(success: true))
        let continued = stage.continued
        #expect(try await comesTrue { continued.pending.isEmpty })
        #expect(try continued.launchWithdrawn().completions.values == [true])
        // Work that has ended already is not shown.
        let second = try await scheduler.continueInBackground(ids: ["a"], title: "A", onExpiration: .keepWork)
        #expect(await second.end == .finished(success: true))
        #expect(continued.requestCount == 1)
        await scheduler.shutdown()
    }

    @Test(
        "what the system refuses is an error and a notice, with advice, and the work runs",
        arguments: [
            (LaunchRequestError.immediateRunIneligible, ContinuedRunError.Refusal.noRoom, "has no room"),
            (.notPermitted, .notPermitted, "Add app.continued.* to BGTaskSchedulerPermittedIdentifiers"),
            (.unavailable, .unavailable, "Background App Refresh"), (.tooManyPending, .tooManyPending, "too many"),
            (.other("no connection"), .other, "no connection"),
        ])
    mutating func refusals(error: LaunchRequestError, refusal: ContinuedRunError.Refusal, advice: String) async throws {
        let gate = Latch()
        try stage.fixture.workers.register("W") { _, _ in
            await gate.wait()
            return .success()
        }
        let scheduler = try await stage.start()
        try await scheduler.enqueue(TaskRequest(workerClassName: "W"), id: "a")
        stage.continued.refuse(with: error)
        let thrown = await #expect(throws: ContinuedRunError.self) {
            try await scheduler.continueInBackground(
                ids: ["a"], title: "A", onExpiration: .cancelWork, whenBusy: .fail)
        }
        guard case .refused(refusal, let said) = thrown else {
            Issue.record("\(String(describing: thrown))")
            return
        }
        #expect(said.contains(advice))
        #expect(stage.notices.values.map(\.kind) == [.launchNotRequested])
        #expect(stage.notices.values.first?.message == thrown?.description)
        gate.open()
        await scheduler.waitUntilIdle()
        #expect(try await scheduler.info(id: "a")?.state == .succeeded)
        await scheduler.shutdown()
    }

    @Test("where the system has nothing for it, and for a scheduler without identifiers, the call says so")
    mutating func unsupported() async throws {
        for hasTasks in [false, true] {
            let scheduler = try SchedulerFixture().open {
                $0.continuedTasks = hasTasks ? stage.continued : nil
                if hasTasks { $0.backgroundTaskIdentifier = nil }
            }
            let thrown = await #expect(throws: ContinuedRunError.self) {
                try await scheduler.continueInBackground(ids: ["a"], title: "A", onExpiration: .keepWork)
            }
            #expect(thrown?.description.contains("iOS 26") == true)
            await scheduler.shutdown()
        }
    }

    @Test("unknown work, recurring work, and a tag without work")
    mutating func selection() async throws {
        try stage.fixture.workers.register("W") { _, _ in .success() }
        let scheduler = try await stage.start()
        let request = TaskRequest(workerClassName: "W", tags: ["t"])
        await #expect(throws: ContinuedRunError.unknownWork(ids: ["x", "y"])) {
            try await scheduler.continueInBackground(ids: ["y", "x"], title: "A", onExpiration: .keepWork)
        }
        try await scheduler.enqueue(
            request, id: "daily", trigger: .periodic(interval: .seconds(86_400), runImmediately: false))
        await #expect(throws: ContinuedRunError.recurringWork(id: "daily")) {
            try await scheduler.continueInBackground(tag: "t", title: "A", onExpiration: .keepWork)
        }
        try await scheduler.cancel(id: "daily")
        let empty = try await scheduler.continueInBackground(tag: "t", title: "A", onExpiration: .keepWork)
        #expect(await empty.end == .finished(success: true))
        try await scheduler.enqueue(request, id: "a", trigger: .oneTime(delay: .seconds(60)))
        let run = try await scheduler.continueInBackground(tag: "t", title: "A", onExpiration: .keepWork)
        stage.fixture.clock.advance(by: .seconds(60))
        #expect(await run.end == .finished(success: true))
        await scheduler.shutdown()
    }

    @Test("a shutdown ends the run, and puts the work back")
    mutating func shutdown() async throws {
        let (gate, runs) = (Latch(), Recorder<StopReason?>())
        try registerHalves(gate: gate, runs: runs)
        let scheduler = try await stage.start()
        try await scheduler.enqueue(TaskRequest(workerClassName: "Half"), id: "a")
        let run = try await scheduler.continueInBackground(ids: ["a"], title: "A", onExpiration: .cancelWork)
        let launch = try stage.continued.launch()
        await scheduler.shutdown()
        #expect(await run.end == .shutDown)
        #expect(launch.completions.values == [false])
        #expect(runs.values == [.shutdown])
    }

    @Test("the end of a launch stops nothing while the system lets a user's work go on")
    mutating func besideLaunch() async throws {
        let (gate, runs) = (Latch(), Recorder<StopReason?>())
        try registerHalves(gate: gate, runs: runs)
        let scheduler = try await stage.start()
        try await scheduler.enqueue(TaskRequest(workerClassName: "Half"), id: "a")
        let run = try await scheduler.continueInBackground(ids: ["a"], title: "A", onExpiration: .cancelWork)
        let launch = try stage.continued.launch()
        let refresh = stage.system.launch("app.refresh")
        refresh.task.expire()
        try await refresh.untilCompleted()
        #expect(refresh.completions.values == [false])
        gate.open()
        #expect(await run.end == .finished(success: true))
        #expect(runs.values == [nil])
        #expect(launch.completions.values == [true])
        // Without it, the next launch's end stops what runs.
        #expect(scheduler.launches?.window.isOpen == false)
        await scheduler.shutdown()
    }
}
