#if os(Linux)
import BackgroundWorkTransfers
import Glibc

/// The daemon that goes on with transfers while their host is not running.
///
/// It runs in the process that calls it: that of `bgwork agent`, or of a host program that serves as its own agent
/// because it calls ``runIfRequested()`` first of all.
public enum BackgroundWorkAgent {
    /// Becomes the agent if this process was started as one (`PROGRAM agent --directory DIR …`), and then never returns;
    /// otherwise notes that this executable can be started as the agent, and returns at once.
    ///
    /// Call it on the main thread, before anything else of the program:
    /// ```swift
    /// BackgroundWorkAgent.runIfRequested()
    /// ```
    public static func runIfRequested() {
        let arguments = CommandLine.arguments
        guard arguments.count > 1, arguments[1] == "agent", arguments.contains("--directory") else {
            return AgentHosting.declare()
        }
        runCommand(arguments: Array(arguments.dropFirst(2)))
    }

    /// Runs the agent with the arguments that follow `agent` on the command line, and exits.
    ///
    /// The exit status is 0 after leaving on its own or on SIGTERM, 64 for wrong arguments, 74 when disk or journal
    /// failed, 75 when another agent serves the directory, 77 when its folder is not safe, and 78 when its journal was
    /// written by a later version.
    public static func runCommand(arguments: [String]) -> Never {
        do {
            let parsed = try AgentArguments(parsing: arguments)
            try run(
                directory: parsed.directory, readyDescriptor: parsed.reportsReady ? 3 : nil, idleExit: parsed.idleExit)
            exit(AgentExitStatus.left.rawValue)
        } catch {
            AgentLog.write("leaving: \(error)")
            if error is AgentArguments.UsageError { AgentLog.writePlain(AgentArguments.usage) }
            exit(AgentExitStatus(error).rawValue)
        }
    }

    /// Serves the scheduler's directory until there is nothing left to do or the process is asked to end.
    ///
    /// Blocks the calling thread, which must be the process's main thread, and changes the process: its working folder
    /// becomes `/`, and SIGTERM, SIGINT, SIGHUP and SIGCHLD are taken over.
    /// - Parameters:
    ///   - directory: The scheduler's directory; it must exist.
    ///   - readyDescriptor: Gets one byte once clients can connect, and is then closed.
    ///   - idleExit: How long the agent stays without clients and transfers.
    /// - Throws: When another agent serves the directory, or its folder, socket or journal cannot be used; the
    ///   description says which.
    public static func run(
        directory: String, readyDescriptor: Int32? = nil, idleExit: Duration = .seconds(10)
    ) throws {
        let agent = try Agent(
            paths: AgentPaths(schedulerDirectory: try absolute(directory)), readyDescriptor: readyDescriptor,
            idleExit: idleExit)
        try agent.run()
    }

    private static func absolute(_ directory: String) throws -> String {
        guard let resolved = realpath(directory, nil) else { throw SystemCallError("open", directory) }
        defer { free(resolved) }
        // An absolute path stays as the client wrote it, so that both sides name the same files alike.
        return directory.hasPrefix("/") ? directory : String(cString: resolved)
    }
}
#else
/// The daemon that goes on with transfers while their host is not running. Linux only: elsewhere the system has one.
public enum BackgroundWorkAgent {
    /// Does nothing on this platform, so that a program can call it without asking where it runs.
    public static func runIfRequested() {}
}
#endif
