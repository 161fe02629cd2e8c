import BackgroundWorkFoundation
import BackgroundWorkSystem
import BackgroundWorkTransfers
import Synchronization

/// Finds the program that serves as the agent.
///
/// Checked, in this order: the configuration's path, the environment's `BGWORK_AGENT`, `bgwork-agent` and then `bgwork`
/// beside the running program, and the running program itself if `BackgroundWorkAgent.runIfRequested()` has run in this
/// process.
struct AgentExecutable: Sendable {
    var configured: String?
    var environment: [String: String]
    var runningProgram: String?
    var hostCanServe: Bool

    /// The agent's own program first: it needs the least memory.
    private static let programs = ["bgwork-agent", "bgwork"]

    init(configured: String?) {
        self.configured = configured
        environment = ProcessInfo.processInfo.environment
        runningProgram = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        hostCanServe = AgentHosting.isDeclared
    }

    /// The path of the program. Throws ``AgentUnavailableError`` with all checked paths.
    func locate() throws -> String {
        var looked: [String] = []
        if let configured {
            if Self.isExecutable(configured) { return configured }
            looked.append("\(configured) (from the configuration's agentExecutable)")
        }
        if let named = environment["BGWORK_AGENT"] {
            if Self.isExecutable(named) { return named }
            looked.append("\(named) (from BGWORK_AGENT)")
        }
        if let runningProgram, let slash = runningProgram.lastIndex(of: "/") {
            for name in Self.programs {
                let beside = runningProgram[...slash] + name
                if Self.isExecutable(String(beside)) { return String(beside) }
                looked.append("\(beside) (beside the running program)")
            }
            if hostCanServe { return runningProgram }
            looked.append(
                "the running program itself (it does not call BackgroundWorkAgent.runIfRequested() at its start)")
        }
        throw AgentUnavailableError(
            description: "No agent program was found, so nothing can be transferred in the background. Looked for: "
                + looked.joined(separator: "; ")
                + ". Put the bgwork-agent program beside your program, or set BGWORK_AGENT to its absolute path.")
    }

    private static func isExecutable(_ path: String) -> Bool {
        var status = stat()
        return path.hasPrefix("/") && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && access(path, X_OK) == 0
    }
}

/// Whether this process's own executable can be started as the agent.
///
/// An executable that does not check its arguments for the agent's would start a second host instead; so the client may
/// use its own executable only after the host has declared that it does.
package enum AgentHosting {
    private static let looksForAgentArguments = Atomic<Bool>(false)

    /// Whether ``declare()`` has been called in this process.
    package static var isDeclared: Bool { looksForAgentArguments.load(ordering: .acquiring) }

    /// Declares that this executable serves as the agent when started with the agent's arguments.
    package static func declare() { looksForAgentArguments.store(true, ordering: .releasing) }
}
