#if os(Linux)
import BackgroundWorkTransfers
import CBackgroundWorkLinux
import Glibc

/// Starts the host when there is something to deliver and nobody to take it; one process at a time.
final class HostLauncher {
    /// `nil` when the host does not want to be launched.
    var command: LaunchCommand?
    private let logPath: String
    private let timers: LoopTimers
    private var backoff = LaunchBackoff()
    private var running: pid_t?
    private var hasAcknowledged = false

    init(paths: AgentPaths, command: LaunchCommand?, timers: LoopTimers) {
        logPath = paths.directory + "/host.log"
        self.command = command
        self.timers = timers
    }

    func outcomeAcknowledged() {
        hasAcknowledged = true
        backoff.succeeded()
    }

    /// Launches if that is called for, no launched process lives, and none has to be waited for.
    func launchIfNeeded(hasUndelivered: Bool, hasReceiver: Bool) {
        guard hasUndelivered, !hasReceiver, let command else { return timers.cancel(.hostLaunch) }
        guard running == nil, !timers.isSet(.hostLaunch) else { return }
        launch(command)
    }

    private func launch(_ command: LaunchCommand) {
        hasAcknowledged = false
        let program = command.arguments.first ?? ""
        let log = open(logPath, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard log >= 0 else { return launchFailed("\(SystemCallError("open", logPath))") }
        defer { close(log) }
        var process: pid_t = 0
        let environment = command.environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let code = CStrings.with(command.arguments) { arguments in
            CStrings.with(environment) { variables in
                bgw_spawn_detached(&process, program, arguments, variables, command.workingDirectory, log, -1)
            }
        }
        guard code == 0 else {
            return launchFailed("\(SystemCallError("start", program, code: code)) (in \(command.workingDirectory))")
        }
        running = process
        AgentLog.write("launched the host for undelivered outcomes: \(program), process \(process)")
    }

    private func launchFailed(_ problem: String) {
        AgentLog.write("the host could not be launched: \(problem)")
        backoff.launchFailed()
        waitBeforeNext()
    }

    /// After SIGCHLD: looks whether the launched process has ended.
    func reap() {
        guard let process = running else { return }
        var status: Int32 = 0
        guard waitpid(process, &status, WNOHANG) != 0 else { return }
        running = nil
        let end = status & 0x7f == 0 ? "exit status \(status >> 8 & 0xff)" : "signal \(status & 0x7f)"
        if hasAcknowledged {
            AgentLog.write("the launched host, process \(process), ended (\(end))")
        } else {
            backoff.launchFailed()
            AgentLog.write(
                "the launched host, process \(process), ended (\(end)) without taking an outcome in; "
                    + "the next launch waits \(backoff.wait)")
        }
        waitBeforeNext()
    }

    /// The loop looks again whether a launch is needed when the wait is over.
    private func waitBeforeNext() { timers.set(.hostLaunch, at: .now + backoff.wait) {} }
}
#endif
