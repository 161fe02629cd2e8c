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
    private let programIsMissing: @Sendable (AgentUnavailableError) -> Void
    private let hasToldOfProgram = Atomic(false)
    private let blocking = DispatchQueue(label: "BackgroundWork.AgentOpener")

    private static let mostDeaths = 5
    private static let noAgentListens: Set<Int32> = [ENOENT, ECONNREFUSED]
    private static let brokeOff: Set<Int32> = [ECONNRESET, EPIPE]

    /// - Parameters:
    ///   - agentExecutable: the agent's program, if the host names one.
    ///   - programIsMissing: called once, the first time that an agent is needed and there is no program for it.
    init(
        paths: AgentPaths, agentExecutable: String?, clock: any WorkClock,
        programIsMissing: @escaping @Sendable (AgentUnavailableError) -> Void
    ) {
        self.paths = paths
        self.agentExecutable = agentExecutable
        self.clock = clock
        self.programIsMissing = programIsMissing
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
            let program = try await program(of: starter.executable)
            if case .killed(let error) = try await onBlockingQueue({ try starter.start(program) }) {
                // The cause was external, so the next one may succeed.
                deaths += 1
                if deaths >= Self.mostDeaths { throw error }
            }
        }
        throw AgentUnavailableError(
            description: "An agent holds the lock of \(paths.directory) but does not answer"
                + (lastError.map { " (\($0))" } ?? "") + ". Its log is \(paths.log).")
    }

    private func program(of executable: AgentExecutable) async throws -> String {
        do {
            return try await onBlockingQueue(executable.locate)
        } catch let error as AgentUnavailableError {
            if !hasToldOfProgram.exchange(true, ordering: .acquiringAndReleasing) { programIsMissing(error) }
            throw error
        }
    }

    private func onBlockingQueue<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            blocking.async { continuation.resume(with: Result(catching: body)) }
        }
    }
}
