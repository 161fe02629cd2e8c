import BackgroundWorkTesting
import TestSupport
import Testing

@testable import BackgroundWork

/// Schedulers beside a scripted system that launches them.
struct LaunchStage {
    var fixture: SchedulerFixture
    let system: ScriptedLaunchScheduler
    let dispatch: LaunchDispatch
    let continued = ScriptedContinuedTasks()
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
            $0.continuedTasks = continued
            $0.backgroundTaskIdentifier = "app"
            $0.noticeHandler = { [notices] in notices.add($0) }
        }
    }

    func start(isManual: Bool = true) async throws -> WorkScheduler {
        let scheduler = try open(isManual: isManual)
        try await scheduler.start()
        return scheduler
    }

    /// Lets time pass until a launch has been completed, and fails the test when that does not happen.
    func pass(
        _ step: Duration, untilCompleted launch: ScriptedLaunch, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let isCompleted = try await comesTrue {
            fixture.clock.advance(by: step)
            return !launch.completions.values.isEmpty
        }
        try #require(isCompleted, "\(launch.task.identifier) is not completed", sourceLocation: sourceLocation)
    }
}

extension Latch {
    /// Returns when it is open, and fails the test when it does not open.
    func opens(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let isOpen = try await comesTrue { self.isOpen }
        try #require(isOpen, "the latch does not open", sourceLocation: sourceLocation)
    }
}
