import BackgroundWork
import BackgroundWorkModel
import BackgroundWorkTesting
import BackgroundWorkTransfers
import TestSupport
import Testing

/// The launch times sent to the daemon follow the due work.
@Suite(.timeLimit(.minutes(5)))
struct WakeCoordinatorTests {
    var fixture: SchedulerFixture
    let daemon = WakeRecorder()
    private let inAnHour = TaskTrigger.oneTime(delay: .seconds(3600))

    init() throws {
        fixture = try SchedulerFixture()
        try fixture.workers.register("W") { _, _ in .success() }
    }

    /// Starts a scheduler in real time, and returns when the daemon has been notified.
    private func start(
        telling daemon: WakeRecorder, _ configure: (inout WorkScheduler.Configuration) -> Void = { _ in }
    ) async throws -> WorkScheduler {
        let scheduler = try fixture.open {
            $0.wakeService = daemon
            $0.launchCommand = LaunchCommand(arguments: ["/bin/true"])
            configure(&$0)
        }
        try await scheduler.start()
        await daemon.wait { !$0.isEmpty }
        return scheduler
    }

    @Test("running work is sent as due, and a hand-off reverts that")
    mutating func handOff() async throws {
        let gate = Latch()
        try fixture.workers.register("HandsOff") { _, context in
            await gate.wait()
            return .handedOff(context.handOffToken)
        }
        let scheduler = try await start(telling: daemon)
        try await scheduler.beginWith(TaskRequest(workerClassName: "HandsOff"))
            .then(TaskRequest(workerClassName: "W")).enqueue(id: "c")
        await daemon.wait { $0.last?.map(\.needs) == [[]] }
        gate.open()
        await daemon.wait { $0.last == [] }
        #expect(try await scheduler.info(id: "c/0.0")?.state == .handedOff)
        await scheduler.shutdown()
    }

    @Test("the end of the last work takes the wake back, whatever the end is")
    mutating func end() async throws {
        let gate = Latch()
        try fixture.workers.register("Waits") { _, _ in
            await gate.wait()
            return .success()
        }
        let scheduler = try await start(telling: daemon)
        try await scheduler.enqueue(TaskRequest(workerClassName: "W"), id: "later", trigger: inAnHour)
        await daemon.wait { $0.last?.count == 1 }
        try await scheduler.cancel(id: "later")
        await daemon.wait { $0.last == [] }
        try await scheduler.enqueue(TaskRequest(workerClassName: "Waits"), id: "now")
        await daemon.wait { $0.last?.count == 1 }
        gate.open()
        await daemon.wait { $0.last == [] }
        await scheduler.shutdown()
    }

    @Test("work in a paused queue launches no host until the queue is resumed")
    func pausedQueue() async throws {
        let scheduler = try await start(telling: daemon)
        try await scheduler.enqueue(TaskRequest(workerClassName: "W", queue: "q"), id: "later", trigger: inAnHour)
        await daemon.wait { $0.last?.count == 1 }
        let told = daemon.told.last
        try await scheduler.pause(queue: "q")
        await daemon.wait { $0.last == [] }
        try await scheduler.resume(queue: "q")
        await daemon.wait { $0.last == told }
        await scheduler.shutdown()
    }

    @Test("work that has started needs no condition of the device to be resumed")
    mutating func claimed() async throws {
        let gate = Latch()
        try fixture.workers.register("Waits") { _, _ in
            await gate.wait()
            return .success()
        }
        let device = fixture.device
        device.set([])
        let scheduler = try await start(telling: daemon) { $0.deviceState = device }
        try await scheduler.enqueue(TaskRequest(workerClassName: "Waits", constraints: .network), id: "w")
        await daemon.wait { $0.last?.map(\.needs) == [.network] }
        device.set(.all)
        await daemon.wait { $0.last?.map(\.needs) == [[]] }
        gate.open()
        await daemon.wait { $0.last == [] }
        await scheduler.shutdown()
    }

    @Test("progress and checkpoints are not sent, and running work is sent with the same time")
    mutating func noChatter() async throws {
        let (begun, reported, gate) = (Latch(), Latch(), Latch())
        try fixture.workers.register("Waits") { _, context in
            await begun.wait()
            for step in 1...20 {
                context.report(WorkerProgress(fraction: Double(step) / 20))
                try await context.saveCheckpoint("\(step)")
            }
            reported.open()
            await gate.wait()
            return .success()
        }
        let scheduler = try await start(telling: daemon)
        try await scheduler.enqueue(TaskRequest(workerClassName: "Waits"), id: "w")
        await daemon.wait { $0.count == 2 }
        begun.open()
        await reported.wait()
        try await scheduler.enqueue(
            TaskRequest(workerClassName: "W", constraints: .charging), id: "later", trigger: inAnHour)
        await daemon.wait { $0.last?.count == 2 }
        gate.open()
        await daemon.wait { $0.last?.count == 1 }
        #expect(daemon.told.map { $0.map(\.needs) } == [[], [[]], [[], .charging], [.charging]])
        #expect(daemon.told[2].first == daemon.told[1].first)
        await scheduler.shutdown()
    }

    @Test("wakes that could not be sent are sent again, although nothing changes")
    func failures() async throws {
        let daemon = WakeRecorder(failures: 5)
        let notices = Recorder<SchedulerNotice>()
        let scheduler = try await fixture.start {
            $0.wakeService = daemon
            $0.launchCommand = LaunchCommand(arguments: ["/bin/true"])
            $0.noticeHandler = { notices.add($0) }
        }
        while daemon.told.isEmpty, !Task.isCancelled {
            fixture.clock.advance(by: .seconds(1))
            await Task.yield()
        }
        #expect(daemon.told == [[]])
        #expect(daemon.attempts == 6)
        #expect(notices.values.map(\.kind) == [.daemonUnreachable])
        await scheduler.shutdown()
    }

    @Test("wakes that another scheduler on the directory has sent meanwhile are corrected")
    func others() async throws {
        let scheduler = try await start(telling: daemon)
        let othersDaemon = WakeRecorder()
        let other = try await start(telling: othersDaemon)
        try await other.enqueue(TaskRequest(workerClassName: "W"), id: "later", trigger: inAnHour)
        await othersDaemon.wait { $0.last?.count == 1 }
        // Both send to the same daemon, so this one has to send what it would not repeat if it were alone.
        await daemon.wait { $0.last?.count == 1 }
        try await scheduler.cancel(id: "later")
        await daemon.wait { $0.last == [] }
        await othersDaemon.wait { $0.last == [] }
        await scheduler.shutdown()
        await other.shutdown()
    }
}
