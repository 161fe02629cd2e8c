import BackgroundWorkFiles
import BackgroundWorkFoundation
import BackgroundWorkSystem
import BackgroundWorkTransfers
import CBackgroundWorkLinux

/// Starts the agent of a directory and waits until it listens. Blocks the calling thread.
struct AgentStarter: Sendable {
    var executable: AgentExecutable
    var paths: AgentPaths

    /// The agent's exit status when another one holds the directory's lock (EX_TEMPFAIL, sysexits.h).
    static let anotherServes: Int32 = 75

    enum Answer: Sendable {
        case listening
        /// Another agent holds the lock; it listens already, or is leaving.
        case anotherServes
        /// A signal ended it before it listened.
        case killed(AgentUnavailableError)
    }

    /// - Parameter program: its path.
    func start(_ program: String) throws -> Answer {
        try Folder.create(paths.schedulerDirectory, mode: 0o700)
        let log = try OwnFolder(path: paths.directory, creating: true)
            .open(paths.logName, O_WRONLY | O_CREAT | O_APPEND)
        defer { close(log) }
        var ready: [Int32] = [-1, -1]
        guard bgw_pipe(&ready) == 0 else {
            throw FileError(action: "make a pipe for", path: program, code: errno)
        }
        let pid: pid_t
        do {
            defer { close(ready[1]) }
            pid = try spawn(program, log: log, ready: ready[1])
        } catch {
            close(ready[0])
            throw error
        }
        defer { close(ready[0]) }
        if try Self.listens(ready[0], pid: pid, program: program) {
            // Reaps it when it ends during the life of this process.
            SystemThread.start { _ = Self.waitForExit(of: pid) }
            return .listening
        }
        let status = Self.waitForExit(of: pid)
        if status == Self.anotherServes { return .anotherServes }
        let error = AgentUnavailableError(
            description: "The agent \(program) ended before it listened (\(Self.words(for: status))). "
                + "Its log is \(paths.log).\(lastLogLine())")
        if status < 0 { return .killed(error) }
        throw error
    }

    /// The longest that an agent may take to open its journal and listen, in milliseconds.
    private static let patience: Int32 = 120_000

    /// Whether the ready byte was received; `false` when the agent ended without sending it.
    private static func listens(_ ready: Int32, pid: pid_t, program: String) throws -> Bool {
        var waiting = pollfd(fd: ready, events: Int16(POLLIN), revents: 0)
        if SystemCall.repeated({ poll(&waiting, 1, patience) }) == 0 {
            kill(pid, SIGKILL)
            _ = waitForExit(of: pid)
            throw AgentUnavailableError(
                description: "The agent \(program) did not listen within \(patience / 1000) seconds and was ended.")
        }
        var byte: UInt8 = 0
        return read(ready, &byte, 1) == 1
    }

    private func spawn(_ program: String, log: Int32, ready: Int32) throws -> pid_t {
        let arguments = [program, "agent", "--directory", paths.schedulerDirectory, "--ready"]
        let environment = ["HOME", "PATH", "LANG", "LC_ALL", "TZ", "XDG_RUNTIME_DIR", "TMPDIR", "LD_LIBRARY_PATH"]
            .compactMap { name in executable.environment[name].map { "\(name)=\($0)" } }
        var pid: pid_t = 0
        let code = CStrings.with(arguments) { argv in
            CStrings.with(environment) { envp in
                bgw_spawn_detached(&pid, program, argv, envp, "/", log, ready)
            }
        }
        guard code == 0 else {
            throw AgentUnavailableError(
                description: "The agent \(program) could not be started: \(String(cString: strerror(code))). "
                    + "Check that it is a program this user may run.")
        }
        return pid
    }

    private func lastLogLine() -> String {
        guard let log = try? String(contentsOfFile: paths.log, encoding: .utf8),
            let line = log.split(separator: "\n").last
        else { return "" }
        return " Its last line: \(line)"
    }

    private static func waitForExit(of pid: pid_t) -> Int32 {
        var status: Int32 = 0
        guard SystemCall.repeated({ waitpid(pid, &status, 0) }) >= 0 else { return -1 }
        return status & 0x7f == 0 ? (status >> 8) & 0xff : -(status & 0x7f)
    }

    private static func words(for status: Int32) -> String {
        status >= 0 ? "exit status \(status)" : "signal \(-status)"
    }
}
