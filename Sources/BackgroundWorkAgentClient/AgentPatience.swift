import BackgroundWorkSystem
import BackgroundWorkTransfers

/// How long a client waits for an answer of the agent.
///
/// Checks are counted instead of time, so that a client that was stopped itself does not time out. A stopped agent does
/// not answer; one that waits for a busy disk will, and a commit may take more than ten seconds.
package struct AgentPatience: Sendable {
    /// The interval between two checks of the waiting requests.
    package var look: Duration
    /// A request times out after this many checks if the agent's process is stopped…
    package var looksWhenStopped: Int
    /// …and after this many in any case.
    package var looks: Int

    package init(look: Duration = .seconds(5), looksWhenStopped: Int = 2, looks: Int = 24) {
        self.look = look
        self.looksWhenStopped = looksWhenStopped
        self.looks = looks
    }

    /// The timeout error of a request after `looks` checks; `nil` while it continues to wait.
    func hang(of process: Int32, after looks: Int, log: String) -> AgentUnavailableError? {
        guard looks >= min(looksWhenStopped, self.looks) else { return nil }
        let seconds = look / .seconds(1) * Double(looks)
        if ProcessState(of: process) == .stopped { return .stopped(process: process, seconds: seconds, log: log) }
        return looks >= self.looks ? .hangs(process: process, seconds: seconds, log: log) : nil
    }

    var longestSeconds: Double { look / .seconds(1) * Double(looks) }
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
