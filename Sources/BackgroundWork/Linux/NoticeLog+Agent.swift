import BackgroundWorkAgentClient
import BackgroundWorkSystem
import Synchronization

extension NoticeLog {
    /// What only the user can change is also written to standard error: without its agent a program waits for transfers
    /// that are never started.
    @Sendable func report(_ problem: AgentSetupProblem) {
        let (kind, message): (SchedulerNotice.Kind, String) =
            switch problem {
            case .unavailable(let error): (.daemonUnreachable, "\(error)")
            case .otherProgram(let message): (.otherAgentProgram, message)
            }
        add(kind, message)
        if problem.needsUser { StandardError.sayOnce(message) }
    }
}

/// For messages that must be seen, whatever the host does with notices.
private enum StandardError {
    private static let said = Mutex<Set<String>>([])

    /// Writes a line, once for the whole process: several schedulers may have one cause.
    static func sayOnce(_ message: String) {
        guard said.withLock({ $0.insert(message).inserted }) else { return }
        var line = "BackgroundWork: \(message)\n"
        line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
