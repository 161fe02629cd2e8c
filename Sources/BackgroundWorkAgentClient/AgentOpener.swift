import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkSystem
import BackgroundWorkTransfers
import Dispatch
import Synchronization

/// Connects to the agent of a directory, and starts it if none listens.
final class AgentOpener: Sendable {
    private let paths: AgentPaths
    private let agentExecutable: String?
    private let clock: any WorkClock
    private let report: @Sendable (AgentSetupProblem) -> Void
    private let reported = Mutex(Reported())
    private let blocking = DispatchQueue(label: "BackgroundWork.AgentOpener")

    private static let mostDeaths = 5
    private static let noAgentListens: Set<Int32> = [ENOENT, ECONNREFUSED]
    private static let brokeOff: Set<Int32> = [ECONNRESET, EPIPE]

    /// What was reported, since one cause is met with at each attempt.
    private struct Reported {
        /// Reset when there is a connection.
        var isUnavailable = false
        var programs: Set<String> = []
    }

    /// - Parameters:
    ///   - agentExecutable: the agent's program, if the host names one.
    ///   - report: called when no agent can be reached, once until one is; and once for each program that was named and
    ///     cannot be used.
    init(
        paths: AgentPaths, agentExecutable: String?, clock: any WorkClock,
        report: @escaping @Sendable (AgentSetupProblem) -> Void
    ) {
        self.paths = paths
        self.agentExecutable = agentExecutable
        self.clock = clock
        self.report = report
    }

    /// Connects, starting the agent if none listens. An agent that is leaving or starting makes another attempt
    /// necessary; the waits between them grow, to half a minute in all, because an agent starts slowly on a busy
    /// machine.
    ///
    /// - Parameters:
    ///   - isDisconnected: checked before each attempt; ends them with a `CancellationError`.
    ///   - open: one attempt to connect, which blocks its thread.
    func openOrStart(
        isolation: isolated (any Actor)? = #isolation, unless isDisconnected: () -> Bool,
        _ open: @escaping @Sendable () throws -> AgentConnection
    ) async throws -> AgentConnection {
        do {
            let connection = try await attempts(unless: isDisconnected, open)
            reported.withLock { $0.isUnavailable = false }
            return connection
        } catch {
            let isNew = reported.withLock { reported in
                defer { reported.isUnavailable = true }
                return !reported.isUnavailable
            }
            if isNew, !(error is CancellationError) { report(.unavailable(error)) }
            throw error
        }
    }

    private func attempts(
        isolation: isolated (any Actor)? = #isolation, unless isDisconnected: () -> Bool,
        _ open: @escaping @Sendable () throws -> AgentConnection
    ) async throws -> AgentConnection {
        var lastError: (any Error)?
        var deaths = 0
        for attempt in 0..<50 {
            if isDisconnected() { throw CancellationError() }
            if attempt > 1 { try await clock.sleep(for: .milliseconds(10 << min(attempt, 6))) }
            do {
                return try await onBlockingQueue(open)
            } catch let error as FileError where Self.noAgentListens.contains(error.code) {
                lastError = error
            } catch let error as FileError where Self.brokeOff.contains(error.code) {
                // It ended between accepting the connection and answering.
                lastError = error
                continue
            } catch is AgentConnection.ClosedBeforeHello {
                continue
            } catch let failure as AgentFailure where failure.code == .leaving {
                continue
            }
            let starter = AgentStarter(executable: AgentExecutable(configured: agentExecutable), paths: paths)
            let program = try await onBlockingQueue(starter.executable.locate)
            for notice in program.notices where reported.withLock({ $0.programs.insert(notice).inserted }) {
                report(.otherProgram(notice))
            }
            if case .killed(let error) = try await onBlockingQueue({ try starter.start(program.path) }) {
                // The cause was external, so the next one may succeed.
                deaths += 1
                if deaths >= Self.mostDeaths { throw error }
            }
        }
        throw AgentUnavailableError(
            description: "An agent holds the lock of \(paths.directory) but does not answer"
                + (lastError.map { " (\($0))" } ?? "") + ". Its log is \(paths.log).")
    }

    private func onBlockingQueue<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            blocking.async { continuation.resume(with: Result(catching: body)) }
        }
    }
}
