import BackgroundWorkAgentClient
import BackgroundWorkFiles
import BackgroundWorkSystem
import BackgroundWorkTransfers
import CBackgroundWorkLinux

/// Starts the host when there is work for it and no host is connected; one process at a time.
final class HostLauncher {
    /// `nil` when the host does not want to be launched.
    var command: LaunchCommand?
    private let paths: AgentPaths
    private let timers: LoopTimers
    private var backoff = LaunchBackoff()
    private var running: pid_t?
    private var hasBroughtSomething = false

    init(paths: AgentPaths, command: LaunchCommand?, timers: LoopTimers) {
        self.paths = paths
        self.command = command
        self.timers = timers
    }

    /// Whether a launch is possible: there is a command, no launched process runs, and no wait between launches is
    /// pending.
    var isReady: Bool { command != nil && running == nil && !timers.isSet(.hostLaunch) }

    /// A host has acknowledged an outcome or processed work that was due.
    func hostHasActed() {
        hasBroughtSomething = true
        backoff.succeeded()
    }

    /// Launches if it can.
    func launch(for reason: LaunchReason) {
        guard isReady, let command else { return }
        launch(command, for: reason)
    }

    /// There is no reason left to launch a host, so the next reason need not wait.
    func stopWaiting() { timers.cancel(.hostLaunch) }

    private func launch(_ command: LaunchCommand, for reason: LaunchReason) {
        hasBroughtSomething = false
        let program = command.arguments.first ?? ""
        let log: Int32
        do {
            log = try OwnFolder(path: paths.directory, creating: false)
                .open(paths.hostLogName, O_WRONLY | O_CREAT | O_APPEND)
        } catch {
            return launchFailed("\(error)")
        }
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
        AgentLog.write("launched the host for \(reason): \(program), process \(process)")
    }

    private func launchFailed(_ problem: String) {
        AgentLog.write("the host could not be launched: \(problem)")
        backoff.launchFailed()
        waitBeforeNext()
    }

    /// After SIGCHLD: checks whether the launched process has ended.
    func reap() {
        guard let process = running else { return }
        var status: Int32 = 0
        guard waitpid(process, &status, WNOHANG) != 0 else { return }
        running = nil
        let end = status & 0x7f == 0 ? "exit status \(status >> 8 & 0xff)" : "signal \(status & 0x7f)"
        if hasBroughtSomething {
            AgentLog.write("the launched host, process \(process), ended (\(end))")
        } else {
            backoff.launchFailed()
            AgentLog.write(
                "the launched host, process \(process), ended (\(end)) and made no progress; "
                    + "the next launch waits \(backoff.wait)")
        }
        waitBeforeNext()
    }

    /// When the wait is over, the loop checks again whether a launch is needed.
    private func waitBeforeNext() { timers.set(.hostLaunch, at: .now + backoff.wait) {} }
}
