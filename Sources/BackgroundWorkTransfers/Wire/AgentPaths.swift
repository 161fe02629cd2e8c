/// Where the agent of a scheduler's directory keeps its files.
package struct AgentPaths: Sendable, Hashable {
    /// The scheduler's directory, absolute.
    package let schedulerDirectory: String

    package init(schedulerDirectory: String) { self.schedulerDirectory = schedulerDirectory }

    /// Mode 0700, owned by the user.
    package var directory: String { schedulerDirectory + "/agent" }
    package var socket: String { directory + "/" + socketName }
    package var socketName: String { "agent.sock" }
    /// Held with flock(2) by the running agent.
    package var lock: String { directory + "/" + lockName }
    package var lockName: String { "agent.lock" }
    package var journal: String { directory + "/" + journalName }
    package var journalName: String { "agent.sqlite" }
    /// At its limit it becomes `agent.log.1`.
    package var log: String { directory + "/" + logName }
    package var logName: String { "agent.log" }
    /// What launched hosts print.
    package var hostLogName: String { "host.log" }
    package var stagingDirectory: String { directory + "/staging" }

    /// Beside the staging file, when that comes in several parts.
    package func marksFile(task: Int64) -> String { stagingDirectory + "/\(task).marks" }
    package func stagingFile(task: Int64) -> String { stagingDirectory + "/\(task).part" }
}
