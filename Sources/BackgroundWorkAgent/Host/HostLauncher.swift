#if os(Linux)
import BackgroundWorkTransfers
import CBackgroundWorkLinux
import Glibc

/// Starts the host when there is something to deliver and nobody is there to take it: one at a time, and after one
/// that took nothing only when a growing wait is over.
final class HostLauncher {
    private static let longestWait = 300

    private let paths: AgentPaths
    private let timers: LoopTimers
    var command: LaunchCommand?
    private var running: pid_t?
    private var fruitless = 0
    /// Looks again whether a launch is needed.
    var reconsider: () -> Void = {}

    init(paths: AgentPaths, timers: LoopTimers, command: LaunchCommand?) {
        self.paths = paths
        self.timers = timers
        self.command = command
    }

    /// Whether a launched host is running, or will be started when its wait is over.
    var isBusy: Bool { running != nil || timers.isSet(.hostLaunch) }

    /// An outcome was acknowledged, so launching hosts is worth its while.
    func hostWasUseful() { fruitless = 0 }

    /// Starts the host, unless one is running or its wait is not over.
    func launch() {
        guard let command, !isBusy else { return }
        do {
            running = try spawn(command)
            AgentLog.write("host launched: \(command.arguments.joined(separator: " ")) (pid \(running ?? 0))")
        } catch {
            AgentLog.write("the host could not be launched: \(error)")
            waitBeforeNext()
        }
    }

    /// Collects a launched host that has ended.
    func reap() {
        guard let pid = running else { return }
        var status: Int32 = 0
        guard waitpid(pid, &status, WNOHANG) == pid else { return }
        running = nil
        AgentLog.write("host \(pid) ended with status \(status & 0x7f == 0 ? (status >> 8) & 0xff : -(status & 0x7f))")
        waitBeforeNext()
    }

    private func waitBeforeNext() {
        let seconds = min(Self.longestWait, 1 << min(fruitless, 9))
        fruitless += 1
        timers.set(.hostLaunch, at: .now.advanced(by: .seconds(seconds))) { [weak self] in self?.reconsider() }
    }

    private func spawn(_ command: LaunchCommand) throws -> pid_t {
        let program = command.arguments.first ?? ""
        let log = open(paths.directory + "/host.log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard log >= 0 else { throw SystemCallError("open", paths.directory + "/host.log") }
        defer { close(log) }
        var pid: pid_t = 0
        let code = CStrings.with(command.arguments) { arguments in
            CStrings.with(command.environment.map { "\($0.key)=\($0.value)" }) { environment in
                bgw_spawn_detached(&pid, program, arguments, environment, command.workingDirectory, log, -1)
            }
        }
        guard code == 0 else { throw SystemCallError("start", program, code: code) }
        return pid
    }
}
#endif
