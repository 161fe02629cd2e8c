import BackgroundWorkSystem
import BackgroundWorkTransfers

/// How long a client waits for an answer of the agent.
///
/// Checks are counted instead of time, so that a client that was stopped itself does not time out. A stopped agent does
/// not answer; one that waits for a busy disk will, and a commit may take more than ten seconds.
package struct AgentPatience: Sendable {
    /// The interval between two checks of the waiting requests.
    package var interval: Duration
    /// A request times out after this many checks if the agent's process is stopped…
    package var checksWhenStopped: Int
    /// …and after this many in any case.
    package var checks: Int

    package init(interval: Duration = .seconds(5), checksWhenStopped: Int = 2, checks: Int = 24) {
        self.interval = interval
        self.checksWhenStopped = checksWhenStopped
        self.checks = checks
    }

    /// The timeout error of a request after so many checks; `nil` while it continues to wait.
    func hang(of process: Int32, after checks: Int, log: String) -> AgentUnavailableError? {
        guard checks >= min(checksWhenStopped, self.checks) else { return nil }
        let seconds = interval / .seconds(1) * Double(checks)
        if ProcessState(of: process) == .stopped { return .stopped(process: process, seconds: seconds, log: log) }
        return checks >= self.checks ? .hangs(process: process, seconds: seconds, log: log) : nil
    }

    var longestSeconds: Double { interval / .seconds(1) * Double(checks) }
}

/// Whether a process of this user can run, according to `/proc` (proc_pid_stat(5)).
enum ProcessState: Equatable {
    /// By a signal, or a debugger.
    case stopped
    case other

    init(of process: Int32) {
        self = .other
        let file = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = read(file, &bytes, bytes.count)
        // The program's name comes first, in parentheses, and may have any characters itself.
        guard count > 0, let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")")), end + 2 < count else { return }
        if [UInt8(ascii: "T"), UInt8(ascii: "t")].contains(bytes[end + 2]) { self = .stopped }
    }
}
