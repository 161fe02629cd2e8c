import BackgroundWorkAgentClient
import BackgroundWorkFoundation
import BackgroundWorkStorage
import BackgroundWorkSystem
import BackgroundWorkTransfers

/// The daemon that continues transfers while their host is not running.
///
/// It runs in the process that calls it: that of `bgwork agent`, or of a host program that serves as its own agent
/// because it calls ``runIfRequested()`` first of all.
public enum BackgroundWorkAgent {
    /// Becomes the agent if this process was started as one (`PROGRAM agent --directory DIR …`), and then never
    /// returns; otherwise records that this executable can be started as the agent, and returns at once.
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

    /// Carries out the arguments that follow `agent` on the command line, and exits: runs the agent, or installs or
    /// removes its systemd user unit.
    ///
    /// The exit status is 0 after leaving on its own or on SIGTERM, 64 for wrong arguments, 74 when disk or journal
    /// failed, 75 when another agent serves the directory, 77 when its folder is not safe, and 78 when its journal was
    /// written by a later version.
    public static func runCommand(arguments: [String]) -> Never {
        SQLiteLibrary.leaveOutStatistics()
        do {
            let parsed = try AgentArguments(parsing: arguments)
            try carryOut(parsed)
            exit(AgentExitStatus.left.rawValue)
        } catch {
            AgentLog.write("leaving: \(error)")
            if error is AgentArguments.UsageError { AgentLog.writePlain(AgentArguments.usage) }
            exit(AgentExitStatus(error).rawValue)
        }
    }

    /// Serves the scheduler's directory until there is nothing left to do or the process receives a signal to end.
    ///
    /// Blocks the calling thread, which must be the process's main thread, and changes the process: its working folder
    /// becomes `/`, and SIGTERM, SIGINT, SIGHUP and SIGCHLD are taken over.
    /// - Parameters:
    ///   - directory: The scheduler's directory; it must exist.
    ///   - readyDescriptor: Gets one byte once clients can connect, and is then closed.
    ///   - idleExit: How long the agent stays without clients, transfers and wakes. `nil`: it stays until it is told to
    ///     leave, and waits while another agent serves the directory.
    /// - Throws: When another agent serves the directory, or its folder, socket or journal cannot be used; the
    ///   description says which.
    public static func run(
        directory: String, readyDescriptor: Int32? = nil, idleExit: Duration? = .seconds(10)
    ) throws {
        let directory = try absolute(directory)
        try run(
            directory: directory, readyDescriptor: readyDescriptor, idleExit: idleExit,
            device: PlatformDeviceWatching(directory: directory))
    }

    /// The same with the caller's source of device conditions; `directory` is absolute.
    package static func run(
        directory: String, readyDescriptor: Int32?, idleExit: Duration?, device: any DeviceWatching
    ) throws {
        let agent = try Agent(
            paths: AgentPaths(schedulerDirectory: directory), readyDescriptor: readyDescriptor, idleExit: idleExit,
            device: device)
        try agent.run()
    }

    private static func carryOut(_ arguments: AgentArguments) throws {
        switch arguments.action {
        case .serve:
            try run(
                directory: arguments.directory, readyDescriptor: arguments.reportsReady ? 3 : nil,
                idleExit: arguments.idleExit)
        case .printUnit:
            print(try AgentUnit(directory: absolute(arguments.directory)).text, terminator: "")
        case .installUnit:
            let unit = try AgentUnit(directory: absolute(arguments.directory))
            print(try UnitFolder(environment: ProcessInfo.processInfo.environment).install(unit))
        case .removeUnit:
            // The directory itself may no longer exist.
            let isAbsolute = arguments.directory.hasPrefix("/")
            let unit = try AgentUnit(
                directory: isAbsolute ? arguments.directory : absolute(arguments.directory))
            print(try UnitFolder(environment: ProcessInfo.processInfo.environment).remove(unit))
        }
    }

    private static func absolute(_ directory: String) throws -> String {
        guard let resolved = realpath(directory, nil) else { throw SystemCallError("open", directory) }
        defer { free(resolved) }
        // An absolute path stays as the client wrote it, so that both sides use the same paths.
        return directory.hasPrefix("/") ? directory : String(cString: resolved)
    }
}
