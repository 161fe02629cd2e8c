import BackgroundWorkTesting
import TestSupport

@testable import BackgroundWork

/// Schedulers beside a scripted system that launches them.
struct LaunchStage {
    var fixture: SchedulerFixture
    let system: ScriptedLaunchScheduler
    let dispatch: LaunchDispatch
    let notices = Recorder<SchedulerNotice>()

    init(permits: @escaping @Sendable (String) -> Bool = { _ in true }) async throws {
        fixture = try SchedulerFixture()
        system = ScriptedLaunchScheduler(permits: permits)
        dispatch = LaunchDispatch(clock: fixture.clock)
        await dispatch.register(prefix: "app", with: system)
    }

    /// A scheduler that has not been started.
    /// - Parameter isManual: on the fixture's clock and device.
    func open(isManual: Bool = true) throws -> WorkScheduler {
        try fixture.open {
            if isManual {
                $0.clock = fixture.clock
                $0.deviceState = fixture.device
            }
            $0.launches = LaunchServices(scheduler: system, dispatch: dispatch)
            $0.backgroundTaskIdentifier = "app"
            $0.noticeHandler = { [notices] in notices.add($0) }
        }
    }

    func start(isManual: Bool = true) async throws -> WorkScheduler {
        let scheduler = try open(isManual: isManual)
        try await scheduler.start()
        return scheduler
    }

    /// Lets time pass until a launch has been completed.
    func pass(_ step: Duration, untilCompleted launch: ScriptedLaunch) async {
        while launch.completions.values.isEmpty, !Task.isCancelled {
            fixture.clock.advance(by: step)
            await Task.yield()
        }
    }
}
