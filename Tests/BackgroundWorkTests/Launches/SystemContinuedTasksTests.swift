#if BACKGROUNDWORK_HAS_CONTINUED_TASKS
import BackgroundTasks
import TestSupport
import Testing

@testable import BackgroundWork

/// The system's own continued processing tasks, with a stand-in for the system.
struct SystemContinuedTasksTests {
    private func request(_ number: Int, mayWait: Bool = true, prefix: String = "shim.continued") -> ContinuedRequest {
        ContinuedRequest(identifier: "\(prefix).\(number)", title: "Export", subtitle: "soon", mayWait: mayWait)
    }

    @Test("a request is registered and submitted; its task shows the progress, expires, and is completed once")
    func whole() async throws {
        BackgroundTasksShim.permit(["shim.continued.*"])
        let (launched, expiries, completions) = (Recorder<LaunchedTask>(), Recorder<Bool>(), Recorder<Bool>())
        try await SystemContinuedTasks().begin(request(1)) { launched.add($0) }
        let pending = try #require(BackgroundTasksShim.pending["shim.continued.1"])
        #expect(pending.shown == BackgroundTasksShim.Shown(title: "Export", subtitle: "soon"))
        #expect(pending.mayWait && !pending.isRefresh)
        #expect(BackgroundTasksShim.launch("shim.continued.1") { completions.add($0) })
        #expect(try await comesTrue { launched.values.count == 1 })
        let task = try #require(launched.values.first)
        task.whenExpired { expiries.add(true) }
        task.show { ContinuedDisplay(title: "Export", subtitle: "3 of 4", completed: 3000, total: 4000) }
        let shown = BackgroundTasksShim.Shown(title: "Export", subtitle: "3 of 4", completed: 3000, total: 4000)
        #expect(try await comesTrue { await BackgroundTasksShim.shown("shim.continued.1") == shown })
        BackgroundTasksShim.expire("shim.continued.1")
        #expect(try await comesTrue { !expiries.values.isEmpty })
        task.complete(success: false)
        task.complete(success: true)
        task.show { ContinuedDisplay(title: "late", subtitle: "late") }
        #expect(try await comesTrue { completions.values == [false] })
        #expect(await BackgroundTasksShim.shown("shim.continued.1") == shown)
    }

    @Test("a request that may not wait has the strategy for that, and a pending one can be withdrawn")
    func withdrawn() async throws {
        BackgroundTasksShim.permit(["shim.continued.*"])
        try await SystemContinuedTasks().begin(request(2, mayWait: false)) { _ in }
        #expect(BackgroundTasksShim.pending["shim.continued.2"]?.mayWait == false)
        await SystemContinuedTasks().cancel("shim.continued.2")
        #expect(BackgroundTasksShim.pending["shim.continued.2"] == nil)
    }

    @Test("an identifier that Info.plist lacks, and each refusal of the system, is the package's error")
    func refusals() async throws {
        let tasks = SystemContinuedTasks()
        await #expect(throws: LaunchRequestError.notPermitted) {
            try await tasks.begin(request(1, prefix: "shim.missing")) { _ in }
        }
        let codes: [(BGTaskScheduler.Error.Code, LaunchRequestError)] = [
            (.immediateRunIneligible, .immediateRunIneligible), (.notPermitted, .notPermitted),
            (.tooManyPendingTaskRequests, .tooManyPending), (.unavailable, .unavailable),
        ]
        BackgroundTasksShim.permit(["shim.refused.*"])
        for (number, (code, error)) in codes.enumerated() {
            BackgroundTasksShim.refuse("shim.refused", with: code)
            await #expect(throws: error) {
                try await tasks.begin(request(number, mayWait: false, prefix: "shim.refused")) { _ in }
            }
        }
        BackgroundTasksShim.refuse("shim.refused", with: nil)
    }

    @Test("systems before 27 are asked by the call that waits")
    func submitAndWait() {
        let request = BGProcessingTaskRequest(identifier: "shim.before27")
        #expect(SystemLaunchScheduler.submitAndWait(request) == .notPermitted)
        BackgroundTasksShim.permit(["shim.before27"])
        #expect(SystemLaunchScheduler.submitAndWait(request) == nil)
        #expect(BackgroundTasksShim.pending["shim.before27"] != nil)
    }
}
#endif
