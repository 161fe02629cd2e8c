import BackgroundWorkModel
import BackgroundWorkTesting
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

@testable import BackgroundWork

/// The requests to the system follow the due work.
@Suite(.timeLimit(.minutes(5)))
struct BackgroundTaskWakesTests {
    private let clock = ManualClock()
    private let hour: Int64 = 3_600_000

    /// On their own, so that a test gives the wakes.
    private func wakes(_ stage: LaunchStage, prefix: String = "app") -> BackgroundTaskWakes {
        BackgroundTaskWakes(
            prefix: prefix, launches: LaunchServices(scheduler: stage.system, dispatch: stage.dispatch), clock: clock,
            notices: NoticeLog(clock: clock, handler: { [notices = stage.notices] in notices.add($0) }))
    }

    private func wake(inMs delay: Int64, _ needs: Constraints = []) -> WakeRequest {
        WakeRequest(earliest: WallTime(clock.now).advanced(byMs: delay), needs: needs)
    }

    @Test("the earliest due work is requested; earlier work replaces it, and without work the request is cancelled")
    func earliest() async throws {
        var stage = try await LaunchStage()
        try stage.fixture.workers.register("W") { _, _ in .success() }
        let scheduler = try await stage.start(isManual: false)
        let request = TaskRequest(workerClassName: "W")
        try await scheduler.enqueue(request, id: "late", trigger: .oneTime(delay: .seconds(7200)))
        try await stage.system.wait { $0.keys.sorted() == ["app.refresh"] }
        let late = try #require(stage.system.pending["app.refresh"]?.earliest)
        try await scheduler.enqueue(request, id: "early", trigger: .oneTime(delay: .seconds(3600)))
        try await stage.system.wait { $0["app.refresh"]?.earliest ?? late < late }
        #expect(stage.system.pending.count == 1)
        try await scheduler.cancel(id: "early")
        try await stage.system.wait { $0["app.refresh"]?.earliest == late }
        try await scheduler.cancel(id: "late")
        try await stage.system.wait { $0.isEmpty }
        await scheduler.shutdown()
        #expect(stage.notices.values.isEmpty)
    }

    @Test("each set of needs becomes the request whose needs are the nearest that the system knows")
    func needs() async throws {
        let stage = try await LaunchStage()
        try await wakes(stage).setWakes([
            wake(inMs: -hour), wake(inMs: hour, .unmeteredNetwork), wake(inMs: 2 * hour, [.network, .deviceIdle]),
            wake(inMs: hour, .storageNotLow), wake(inMs: hour, [.network, .charging]),
        ])
        let inAnHour = WallTime(clock.now).advanced(byMs: hour).date
        func request(_ kind: LaunchKind, _ earliest: Date?) -> LaunchRequest {
            LaunchRequest(identifier: "app.\(kind.rawValue)", kind: kind, earliest: earliest)
        }
        #expect(
            stage.system.pending == [
                "app.refresh": request(.refresh, nil), "app.processing": request(.processing, inAnHour),
                "app.processing.network": request(.processingNetwork, inAnHour),
                "app.processing.network.power": request(.processingNetworkPower, inAnHour),
            ])
    }

    @Test("as many sets of needs as there can be are no more requests than the system takes")
    func manyNeeds() async throws {
        let stage = try await LaunchStage()
        let all = WakeList(times: (0..<64).map { wake(inMs: hour, Constraints(rawValue: $0)) })
        try await wakes(stage).setWakes(all)
        #expect(stage.system.pending.count == LaunchKind.allCases.count)
        #expect(stage.system.pending.values.count { $0.kind != .refresh } <= ScriptedLaunchScheduler.mostPending)
        #expect(stage.system.pending.values.count { $0.kind == .refresh } == 1)
        try await wakes(stage).setWakes([])
        #expect(stage.system.pending.isEmpty)
    }

    @Test(
        "what the system refuses is one notice with advice, and the rest is requested",
        arguments: [
            (LaunchRequestError.unavailable, "Background App Refresh"), (.tooManyPending, "10 processing requests"),
            (.notPermitted, "BGTaskSchedulerPermittedIdentifiers"),
        ])
    func refusals(error: LaunchRequestError, advice: String) async throws {
        let stage = try await LaunchStage()
        let wakes = wakes(stage)
        stage.system.fail("app.refresh", with: error)
        for delay in 1...3 {
            try await wakes.setWakes([wake(inMs: Int64(delay) * hour), wake(inMs: hour, .network)])
        }
        #expect(stage.notices.values.map(\.kind) == [.launchNotRequested])
        #expect(stage.notices.values.first?.message.contains(advice) == true)
        #expect(stage.system.pending.keys.sorted() == ["app.processing.network"])
        stage.system.fail("app.refresh", with: nil)
        try await wakes.setWakes([wake(inMs: hour)])
        #expect(stage.system.pending.keys.sorted() == ["app.refresh"])
    }

    @Test("an unknown error is thrown, so that the request is tried again, and the rest is requested")
    func unknownError() async throws {
        let stage = try await LaunchStage()
        stage.system.fail("app.refresh", with: .other("no connection"))
        await #expect(throws: LaunchRequestError.other("no connection")) {
            try await wakes(stage).setWakes([wake(inMs: hour), wake(inMs: hour, .network)])
        }
        #expect(stage.system.pending.keys.sorted() == ["app.processing.network"])
    }

    @Test("an identifier without a handler is never requested: of another name, or missing in Info.plist")
    func unregistered() async throws {
        let stage = try await LaunchStage(permits: { $0 != "app.refresh" })
        try await wakes(stage, prefix: "other").setWakes([wake(inMs: hour)])
        #expect(stage.notices.values.last?.message.contains("registerBackgroundTasks") == true)
        try await wakes(stage).setWakes([wake(inMs: hour), wake(inMs: hour, .charging)])
        #expect(stage.notices.values.last?.message.contains("Info.plist") == true)
        #expect(stage.notices.values.count == 2)
        #expect(stage.system.pending.keys.sorted() == ["app.processing.power"])
    }

    @Test("a program that registers nothing requests nothing, and is told nothing")
    func unused() async throws {
        let stage = try await LaunchStage()
        let unused = LaunchServices(scheduler: stage.system, dispatch: LaunchDispatch(clock: clock))
        let notices = NoticeLog(clock: clock, handler: nil)
        let wakes = BackgroundTaskWakes(prefix: "app", launches: unused, clock: clock, notices: notices)
        try await wakes.setWakes([wake(inMs: hour)])
        #expect(notices.newest.isEmpty)
        #expect(stage.system.pending.isEmpty)
    }

    @Test("a second registration of the same identifiers does nothing: the system would end the app")
    func registeredTwice() async throws {
        let stage = try await LaunchStage()
        await stage.dispatch.register(prefix: "app", with: stage.system)
        #expect(stage.dispatch.complaint(about: "app.refresh") == nil)
    }
}
