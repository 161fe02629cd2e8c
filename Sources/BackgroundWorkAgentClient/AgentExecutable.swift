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
    struct Found: Sendable, Equatable {
        var path: String
        /// What is wrong with the programs that were named and cannot be used, and what to do.
        var notices: [String] = []
    }

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

    /// The program. Throws ``AgentUnavailableError`` with all checked paths.
    func locate() throws -> Found {
        var looked: [String] = []
        var unusable: [(named: String, problem: String)] = []
        func found(_ path: String) -> Found {
            let notices = unusable.map {
                "The agent \($0.named) cannot be used: \($0.problem). \(path) is used instead."
            }
            return Found(path: path, notices: notices)
        }
        let named = [
            (configured, "the configuration's agentExecutable"),
            (environment["BGWORK_AGENT"].flatMap { $0.isEmpty ? nil : $0 }, "BGWORK_AGENT"),
        ]
        for case (let path?, let origin) in named {
            guard let problem = Self.problem(path) else { return found(path) }
            looked.append("\(path) (from \(origin)): \(problem)")
            unusable.append(("\(path) (from \(origin))", problem))
        }
        if let runningProgram, let slash = runningProgram.lastIndex(of: "/") {
            for name in Self.programs {
                let beside = String(runningProgram[...slash] + name)
                guard let problem = Self.problem(beside) else { return found(beside) }
                looked.append("\(beside) (beside the running program): \(problem)")
            }
            if hostCanServe { return found(runningProgram) }
            looked.append(
                "the running program itself (it does not call BackgroundWorkAgent.runIfRequested() at its start)")
        }
        throw AgentUnavailableError(
            description: "No agent program was found, so nothing can be transferred in the background. Looked for: "
                + looked.joined(separator: "; ")
                + ". Put the bgwork-agent program beside your program, or set BGWORK_AGENT to its absolute path.",
            isProgramMissing: true)
    }

    /// Why a path does not lead to a program that can be started; `nil` if it does.
    private static func problem(_ path: String) -> String? {
        guard path.hasPrefix("/") else { return "it is not an absolute path" }
        var status = stat()
        guard stat(path, &status) == 0 else { return String(cString: strerror(errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else { return "it is not a file" }
        return access(path, X_OK) == 0 ? nil : "this user may not execute it"
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
