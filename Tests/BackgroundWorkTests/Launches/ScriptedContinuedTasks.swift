import Synchronization
import TestSupport
import Testing

@testable import BackgroundWork

/// Plays the system's part for work that a user has started: it keeps requests, and runs their tasks when a test says
/// so.
final class ScriptedContinuedTasks: ContinuedTaskScheduler {
    private struct State {
        var used: Set<String> = []
        var pending: [(request: ContinuedRequest, launched: @Sendable (LaunchedTask) -> Void)] = []
        var withdrawn: [@Sendable (LaunchedTask) -> Void] = []
        var refusal: LaunchRequestError?
    }

    private let state = Mutex(State())

    var pending: [ContinuedRequest] { state.withLock { $0.pending.map(\.request) } }

    /// How many requests were made.
    var requestCount: Int { state.withLock { $0.used.count } }

    /// From now on requests are refused; `nil`: no longer.
    func refuse(with error: LaunchRequestError?) { state.withLock { $0.refusal = error } }

    func begin(
        _ request: ContinuedRequest, launched: @escaping @Sendable (LaunchedTask) -> Void
    ) async throws(LaunchRequestError) {
        let refusal = state.withLock { state in
            // The system ends the app at a second registration.
            precondition(state.used.insert(request.identifier).inserted, "used twice: \(request.identifier)")
            if state.refusal == nil { state.pending.append((request, launched)) }
            return state.refusal
        }
        if let refusal { throw refusal }
    }

    func cancel(_ identifier: String) async {
        state.withLock { state in
            state.withdrawn += state.pending.filter { $0.request.identifier == identifier }.map(\.launched)
            state.pending.removeAll { $0.request.identifier == identifier }
        }
    }

    /// Runs the task of the oldest request.
    func launch() throws -> ScriptedContinuedLaunch {
        let (request, launched) = try #require(
            state.withLock { $0.pending.isEmpty ? nil : $0.pending.removeFirst() })
        let launch = ScriptedContinuedLaunch(identifier: request.identifier)
        launched(launch.task)
        return launch
    }

    /// Runs the task of a request that was withdrawn: the two may cross.
    func launchWithdrawn() throws -> ScriptedContinuedLaunch {
        let launched = try #require(state.withLock { $0.withdrawn.popLast() })
        let launch = ScriptedContinuedLaunch(identifier: "withdrawn")
        launched(launch.task)
        return launch
    }
}

/// One task of the system's.
struct ScriptedContinuedLaunch: Sendable {
    let task: LaunchedTask
    /// What the user sees, the newest last.
    let displays: Recorder<ContinuedDisplay>
    /// What `setTaskCompleted(success:)` was called with.
    let completions: Recorder<Bool>

    init(identifier: String) {
        let (displays, completions) = (Recorder<ContinuedDisplay>(), Recorder<Bool>())
        task = LaunchedTask(
            identifier: identifier, timeLimit: nil, shows: { displays.add($0()) }, completed: { completions.add($0) })
        self.displays = displays
        self.completions = completions
    }

    func shows(_ title: String, _ subtitle: String, _ completed: Int64, of total: Int64) async throws -> Bool {
        let expected = ContinuedDisplay(title: title, subtitle: subtitle, completed: completed, total: total)
        return try await comesTrue { displays.values.last == expected }
    }
}
