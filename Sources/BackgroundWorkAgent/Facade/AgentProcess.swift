#if os(Linux)
import BackgroundWorkFiles
import BackgroundWorkStorage
import BackgroundWorkTransfers
import CBackgroundWorkLinux
import Glibc

/// The life of one agent process, from the lock to the exit status (sysexits.h).
struct AgentProcess {
    let options: AgentOptions
    private let paths: AgentPaths

    init(options: AgentOptions) {
        self.options = options
        paths = AgentPaths(schedulerDirectory: options.directory)
    }

    func run() -> Int32 {
        do {
            try prepareDirectory()
            guard let lock = try AdvisoryLock(path: paths.lock, contention: .giveUp) else {
                AgentLog.write("another agent serves \(paths.schedulerDirectory)")
                return EX_TEMPFAIL
            }
            defer { withExtendedLifetime(lock) {} }
            try serve()
            return EX_OK
        } catch let error as SchemaTooNewError {
            AgentLog.write("\(error)")
            return EX_CONFIG
        } catch {
            AgentLog.write("the agent cannot serve \(paths.schedulerDirectory): \(error)")
            return EX_OSERR
        }
    }

    private func serve() throws {
        // Blocked before the first other thread exists, so that none of them gets the signals.
        let numbers = [SIGTERM, SIGINT, SIGCHLD]
        let signals = bgw_signal_descriptor(numbers, Int32(numbers.count))
        guard signals >= 0 else { throw SystemCallError("signalfd", "of the agent") }
        signal(SIGPIPE, SIG_IGN)
        chdir("/")
        let boot = try BootIdentifier.read()
        let queue = StorageQueue(paths: paths, boot: boot)
        let start = try queue.open()
        let listener = try ListeningSocket(paths)
        let loop = AgentLoop(
            options: options, listener: listener, signals: signals, wake: try WakeDescriptor(), queue: queue,
            boot: boot, start: start)
        AgentLog.write(
            "serving \(paths.schedulerDirectory): \(start.active.count) transfers to go on with, "
                + "\(start.outcomes.count) outcomes to deliver")
        if options.signalsReadiness {
            var byte: UInt8 = 1
            _ = write(3, &byte, 1)
            close(3)
        }
        let reason = loop.run()
        loop.close()
        queue.close()
        AgentLog.write("leaving: \(reason)")
    }

    /// The folder belongs to this user, is no link, and is closed to others.
    private func prepareDirectory() throws {
        try Folder.create(paths.directory, mode: 0o700)
        var status = stat()
        guard lstat(paths.directory, &status) == 0 else { throw SystemCallError("lstat", paths.directory) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw SystemCallError("use", paths.directory, code: ENOTDIR) }
        guard status.st_uid == geteuid() else { throw SystemCallError("use", paths.directory, code: EPERM) }
        if status.st_mode & 0o077 != 0, chmod(paths.directory, 0o700) != 0 {
            throw SystemCallError("chmod", paths.directory)
        }
    }
}
#endif
