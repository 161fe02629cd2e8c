#if BACKGROUNDWORK_HAS_TASK_SCHEDULER
import Testing

@testable import BackgroundWork

/// The system's own scheduler, in a program that may not be launched by it.
struct SystemLaunchSchedulerTests {
    @Test("requests of a program whose Info.plist has no identifiers are refused, each kind with the package's error")
    func refused() async throws {
        let scheduler = SystemLaunchScheduler()
        for kind in LaunchKind.allCases {
            let request = LaunchRequest(identifier: kind.identifier(prefix: "none"), kind: kind, earliest: nil)
            let error = await #expect(throws: LaunchRequestError.self) { try await scheduler.submit(request) }
            #expect(error == .notPermitted || error == .unavailable)
            await scheduler.cancel(request.identifier)
        }
    }
}
#endif
