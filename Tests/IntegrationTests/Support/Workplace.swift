import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkSystem
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// One scheduler's directory with its server, hosts and agents, and what a test can see of them from outside.
final class Workplace: Sendable {
    let folder: TemporaryFolder
    let server: LocalHTTPServer
    /// Agents of this workplace end this soon when idle, in seconds.
    private let idleExit: Int

    /// - Parameters:
    ///   - content: what the server has at `/file`.
    ///   - upload: a path at which it takes uploads.
    init(idleExit: Int = 30, serving content: [UInt8]? = nil, acceptingUploadsAt upload: String? = nil) throws {
        folder = try TemporaryFolder()
        self.idleExit = idleExit
        server = try LocalHTTPServer()
        if let content { server.serve(.bytes(content), at: "/file") }
        if let upload { server.acceptUploads(at: upload) }
        try server.start()
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try writeAgentScript(preload: nil)
    }

    deinit {
        server.stop()
        for pid in agents + hosts { kill(pid, SIGKILL) }
    }

    var directory: String { folder.path + "/scheduler" }
    var savePath: String { folder.path + "/downloads/file.bin" }
    var stateFile: String { directory + "/bg_url_session_state.json" }
    var agentScript: String { folder.path + "/agent.sh" }
    var killLog: String { folder.path + "/kill.log" }
    var hostLog: String { folder.path + "/host.log" }

    /// Makes the next agent stop at a point; later ones run through.
    func stopNextAgent(at point: KillPoint) throws { try writeAgentScript(preload: point) }

    /// Starts agents by way of another program.
    func runAgentsIn(_ wrapper: String) throws { try writeAgentScript(preload: nil, wrapper: wrapper) }

    private func writeAgentScript(preload point: KillPoint?, wrapper: String = "") throws {
        var script = "#!/bin/sh\n"
        if let point {
            let variables = environment(stoppingAt: point).map { "\($0.key)='\($0.value)'" }.joined(separator: " ")
            script += "if mkdir '\(folder.path)/once' 2>/dev/null; then export \(variables); fi\n"
        }
        script += "exec \(wrapper) '\(Programs.agent)' \"$@\" --idle-exit \(idleExit)\n"
        let text = folder.path + "/agent.txt"
        try Data(script.utf8).write(to: URL(filePath: text))
        // By another process: a child that another test starts at this instant would hold this one's descriptor for a
        // moment, and a file that is open for writing cannot be run.
        let copy = try ChildProcess(
            "/usr/bin/install", ["-m", "755", text, agentScript], environment: [:], log: "/dev/null")
        copy.waitForChange()
    }

    private func environment(stoppingAt point: KillPoint?) -> [String: String] {
        guard let point else { return [:] }
        return point.environment.merging(["LD_PRELOAD": PreloadedLibrary.killPoint, "KILLPOINT_LOG": killLog]) { $1 }
    }

    /// Starts a host. With `ordering`, it enqueues the chain if that is not there yet.
    func startHost(
        ordering path: String? = "/file", stoppingAt point: KillPoint? = nil, _ more: [String] = []
    ) throws -> ChildProcess {
        var arguments = ["--directory", directory, "--agent", agentScript]
        if let path { arguments += ["--url", server.url(path), "--save-path", savePath] }
        return try ChildProcess(
            Programs.host, arguments + more, environment: hostEnvironment(stoppingAt: point), log: hostLog)
    }

    func hostEnvironment(stoppingAt point: KillPoint?) -> [String: String] {
        var environment = environment(stoppingAt: point)
        environment["PATH"] = ProcessInfo.processInfo.environment["PATH"]
        environment["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
        return environment
    }

    // MARK: - Looking

    /// Reads a database without the knowledge of its users; `nil` if it is not there or not ready.
    func query<Value>(_ name: String, _ sql: String, _ read: (borrowing SQLiteRow) -> Value) -> [Value]? {
        let path = directory + "/" + name
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        var values: [Value] = []
        do { try SQLiteConnection(path: path, mode: .readOnly).rows(sql) { values.append(read($0)) } } catch {
            return nil
        }
        return values
    }

    struct Event: Hashable {
        var workID: String
        var outcome: String
        var message: String
    }

    var events: [Event] {
        query("work.sqlite", "SELECT work_id, outcome, coalesce(message, '') FROM events ORDER BY seq") {
            Event(
                workID: $0.text(0), outcome: WorkState(rawValue: Int($0.int(1))).map { "\($0)" } ?? "none",
                message: $0.text(2))
        } ?? []
    }

    /// A work item's state, as its raw number.
    func state(of id: String) -> Int? {
        query("work.sqlite", "SELECT id, state FROM items") { ($0.text(0), Int($0.int(1))) }?.first { $0.0 == id }?.1
    }

    /// The states of the agent's transfers, by its journal.
    var journal: [String] { query("agent/agent.sqlite", "SELECT state FROM transfers") { $0.text(0) } ?? [] }

    var stateEntries: Int {
        guard let data = FileManager.default.contents(atPath: stateFile),
            let root = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        else { return 0 }
        return (root["entries"] as? [String: Any])?.count ?? 0
    }

    var effects: [String] { lines(of: directory + "/effects.log") }

    func lines(of path: String) -> [String] {
        ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
    }

    var agents: [pid_t] { processes { $0.contains("agent") && $0.contains(directory) && !$0.contains("/bin/sh") } }
    var hosts: [pid_t] { processes { $0.first == Programs.host && $0.contains(directory) && !$0.contains("agent") } }

    private func processes(_ matches: ([String]) -> Bool) -> [pid_t] {
        let ids = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { pid_t($0) } ?? []
        return ids.filter { id in
            guard let data = FileManager.default.contents(atPath: "/proc/\(id)/cmdline"), !data.isEmpty else {
                return false
            }
            return matches(data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
        }
    }

    /// Waits until something outside can be seen; a test that waits in vain fails after two minutes and says for what.
    func wait(for what: String, _ condition: () -> Bool) async throws {
        guard try await comesTrue(within: .seconds(120), condition) else { throw Timeout(what: what, log: logs) }
    }

    struct Timeout: Error, CustomStringConvertible {
        var what: String
        var log: String
        var description: String { "waited in vain for \(what)\n\(log)" }
    }

    /// Waits until an agent stops at its kill point, and kills it there.
    func killStoppedAgent() async throws {
        try await wait(for: "the agent's stop") { self.lines(of: killLog).contains { $0.hasPrefix("stopped ") } }
        let line = lines(of: killLog).first { $0.hasPrefix("stopped ") } ?? ""
        let pid = try #require(line.split(separator: " ").dropFirst().first.flatMap { pid_t($0) })
        kill(pid, SIGKILL)
        try await wait(for: "the agent's death") { Self.isOver(pid) }
    }

    /// Kills the agents that run now; a connected host may start another at once.
    func killAgents() async throws {
        let killed = Set(agents)
        for pid in killed { kill(pid, SIGKILL) }
        try await wait(for: "the agents' death") { killed.allSatisfy(Self.isOver) }
    }

    /// Whether a process has ended and released its files and locks. It has no command line a little earlier.
    private static func isOver(_ process: pid_t) -> Bool {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let name = text.lastIndex(of: ")")
        else { return true }
        guard text[name...].dropFirst(2).first == "Z" else { return false }
        // So says its first thread. Another one may still wait for the disk, and holds the files until then.
        let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
        return (threads?.count ?? 0) <= 1
    }

    var logs: String {
        [hostLog, directory + "/agent/agent.log", directory + "/agent/host.log"].map { path in
            "--- \(path)\n" + lines(of: path).suffix(30).joined(separator: "\n")
        }.joined(separator: "\n")
    }
}
