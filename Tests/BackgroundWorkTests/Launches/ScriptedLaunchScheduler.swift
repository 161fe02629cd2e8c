import Synchronization
import TestSupport
import Testing

@testable import BackgroundWork

/// Plays the system's part: it keeps requests, and launches when a test says so.
final class ScriptedLaunchScheduler: LaunchRequestScheduler {
    /// The system's limit.
    static let mostPending = 10

    private struct State {
        var handlers: [String: @Sendable (LaunchedTask) -> Void] = [:]
        var pending: [String: LaunchRequest] = [:]
        var errors: [String: LaunchRequestError] = [:]
    }

    private let permits: @Sendable (String) -> Bool
    private let state = Mutex(State())

    /// - Parameter permits: whether Info.plist has an identifier.
    init(permits: @escaping @Sendable (String) -> Bool = { _ in true }) { self.permits = permits }

    var pending: [String: LaunchRequest] { state.withLock { $0.pending } }

    /// From now on requests of an identifier fail; `nil`: no longer.
    func fail(_ identifier: String, with error: LaunchRequestError?) {
        state.withLock { $0.errors[identifier] = error }
    }

    func register(_ identifier: String, launched: @escaping @Sendable (LaunchedTask) -> Void) -> Bool {
        state.withLock { state in
            // The system ends the app here.
            precondition(state.handlers[identifier] == nil, "registered twice: \(identifier)")
            guard permits(identifier) else { return false }
            state.handlers[identifier] = launched
            return true
        }
    }

    func submit(_ request: LaunchRequest) async throws(LaunchRequestError) {
        let error = state.withLock { state -> LaunchRequestError? in
            if let error = state.errors[request.identifier] { return error }
            // An app that is launched without a handler is ended.
            precondition(state.handlers[request.identifier] != nil, "no handler: \(request.identifier)")
            state.pending[request.identifier] = request
            return state.pending.count > Self.mostPending ? .tooManyPending : nil
        }
        if let error { throw error }
    }

    func cancel(_ identifier: String) async { state.withLock { $0.pending[identifier] = nil } }

    /// Launches the app for an identifier, with or without a request.
    func launch(_ identifier: String, timeLimit: Duration? = nil) -> ScriptedLaunch {
        let handler = state.withLock { state in
            state.pending[identifier] = nil
            return state.handlers[identifier]
        }
        let launch = ScriptedLaunch(identifier: identifier, timeLimit: timeLimit)
        handler?(launch.task)
        return launch
    }

    /// Returns when the pending requests are as expected, and fails the test when they do not become so.
    func wait(
        sourceLocation: SourceLocation = #_sourceLocation,
        until isSatisfied: ([String: LaunchRequest]) -> Bool
    ) async throws {
        let isSatisfied = try await comesTrue { isSatisfied(pending) }
        try #require(isSatisfied, "pending are \(pending)", sourceLocation: sourceLocation)
    }
}

/// One launch of the app.
struct ScriptedLaunch: Sendable {
    let task: LaunchedTask
    /// What `setTaskCompleted(success:)` was called with.
    let completions: Recorder<Bool>

    init(identifier: String, timeLimit: Duration?) {
        let completions = Recorder<Bool>()
        task = LaunchedTask(identifier: identifier, timeLimit: timeLimit) { completions.add($0) }
        self.completions = completions
    }

    /// Returns when the task is completed, and fails the test when that does not happen.
    func untilCompleted(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let isCompleted = try await comesTrue { !completions.values.isEmpty }
        try #require(isCompleted, "\(task.identifier) is not completed", sourceLocation: sourceLocation)
    }
}
