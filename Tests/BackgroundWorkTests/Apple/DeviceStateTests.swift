import BackgroundWork
import BackgroundWorkTesting
import Network
import TestSupport
import Testing

/// The device state of Apple's platforms, which a scheduler uses when its configuration has none.
@Suite(.timeLimit(.minutes(5)))
struct DeviceStateTests {
    @Test("work that waits for a network starts when the path monitor reports one")
    func network() async throws {
        var fixture = try SchedulerFixture()
        try fixture.workers.register("W") { _, _ in .success() }
        let scheduler = try fixture.open()
        try await ExclusiveUse.networkPath.hold {
            NetworkShim.setPath(.unsatisfied)
            try await scheduler.start()
            let events = scheduler.eventBus.events
            try await scheduler.enqueue(TaskRequest(workerClassName: "W", constraints: .unmeteredNetwork), id: "w")
            #expect(try await scheduler.explain(id: "w")?.reasons == [.conditionsMissing(.unmeteredNetwork)])
            try await scheduler.enqueue(TaskRequest(workerClassName: "W", constraints: .network), id: "any")
            NetworkShim.setPath(.satisfied, isExpensive: true, interfaces: [.cellular])
            #expect(await SchedulerFixture.take(1, from: events).map(\.workID) == ["any"])
            let reasons = try await scheduler.explain(id: "w")?.reasons
            #expect(reasons?.map(\.description) == ["it needs a network that is not metered"])
            NetworkShim.setPath(.satisfied, interfaces: [.wifi])
            #expect(await SchedulerFixture.take(1, from: events).map(\.workID) == ["w"])
        }
        await scheduler.shutdown()
    }

    @Test("idleness, which no system reports, is named by explain and a notice, and delays nothing")
    func idle() async throws {
        var fixture = try SchedulerFixture()
        let notices = Recorder<String>()
        try fixture.workers.register("W") { _, _ in .success() }
        let scheduler = try fixture.open {
            // With one, a Mac's scheduler asks the system for a good time.
            $0.backgroundTaskIdentifier = nil
            $0.noticeHandler = { if $0.kind == .conditionUnreadable { notices.add($0.message) } }
        }
        try await scheduler.enqueue(TaskRequest(workerClassName: "W", constraints: .deviceIdle), id: "w")
        let fault = ConditionFault(.deviceIdle, reason: "the system tells no program whether the device is idle")
        #expect(try await scheduler.explain(id: "w")?.unreadable == [fault])
        let events = scheduler.eventBus.events
        try await scheduler.start()
        #expect(await SchedulerFixture.take(1, from: events).map(\.workID) == ["w"])
        #expect(notices.values == ["Counts as met, because it cannot be read: \(fault)"])
        await scheduler.shutdown()
    }
}
