import BackgroundWorkAgentClient
import BackgroundWorkSystem
import BackgroundWorkTransfers
import CBackgroundWorkLinux
import Foundation

/// The demo's hosts and agents, started by it or by them.
///
/// The demo becomes the parent of orphaned ones (PR_SET_CHILD_SUBREAPER, prctl(2)). So waitpid(2) reports their ends,
/// and when it has no children left, none of them is running.
final class DemoProcesses {
    private let folder: DemoFolder
    /// How children of the demo have ended.
    private var ends: [pid_t: String] = [:]

    init(folder: DemoFolder) throws {
        self.folder = folder
        guard bgw_adopt_orphans() == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EINVAL) }
    }

    /// The running hosts.
    var hosts: [ProcessTable.Process] {
        ProcessTable.processes(withArguments: ["demo-host", "--directory", folder.scheduler])
    }

    /// The running agents.
    var agents: [ProcessTable.Process] {
        ProcessTable.processes(withArguments: ["agent", "--directory", folder.scheduler])
    }

    /// Starts the example host in a session of its own, printing to a log.
    func startHost(_ order: DownloadOrder?) throws -> pid_t {
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path(percentEncoded: false)
        var arguments = [program, "demo-host", "--directory", folder.scheduler]
        if let order {
            arguments += ["--url", order.url, "--save-path", order.savePath]
            if let sha256 = order.sha256 { arguments += ["--sha256", sha256] }
        }
        let log = open(folder.hostLog, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard log >= 0 else { throw DemoFailure(description: "\(folder.hostLog) cannot be written") }
        defer { close(log) }
        let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
        var id: pid_t = 0
        let code = CStrings.with(arguments) { arguments in
            CStrings.with(environment) { environment in
                bgw_spawn_detached(
                    &id, program, arguments, environment, FileManager.default.currentDirectoryPath, log, -1)
            }
        }
        guard code == 0 else {
            throw DemoFailure(description: "\(program) could not be started: \(String(cString: strerror(code)))")
        }
        return id
    }

    /// How a child of the demo has ended; `nil` while it runs.
    func end(of id: pid_t) -> String? {
        _ = reap()
        return ends[id]
    }

    /// Tells hosts and then agents to end, as at a system shutdown. Returns how many did not end in time.
    func askToLeave() async -> Int {
        for find in [{ self.hosts }, { self.agents }] {
            for process in find() { kill(process.id, SIGTERM) }
            await wait { find().isEmpty }
        }
        return hosts.count + agents.count
    }

    /// Kills all of them until none is left: one of them may start another in the meantime.
    func killAll() async {
        await wait {
            for process in self.hosts + self.agents { kill(process.id, SIGKILL) }
            return !self.reap()
        }
    }

    /// Collects ended children; false when there are no children.
    private func reap() -> Bool {
        while true {
            var status: Int32 = 0
            let id = waitpid(-1, &status, WNOHANG)
            if id == 0 { return true }
            if id < 0, errno == EINTR { continue }
            if id < 0 { return false }
            ends[id] = status & 0x7f == 0 ? "exit status \(status >> 8 & 0xff)" : "signal \(status & 0x7f)"
        }
    }

    /// Returns when the condition holds, or after half a minute.
    private func wait(until condition: () -> Bool) async {
        let clock = ContinuousClock()
        let deadline = clock.now.advanced(by: .seconds(30))
        while !condition(), clock.now < deadline { try? await clock.sleep(for: .milliseconds(20)) }
    }
}

/// The processes listed in /proc.
enum ProcessTable {
    struct Process: Hashable {
        var id: pid_t
        var parent: pid_t
    }

    /// The living processes whose arguments contain `words` in a row.
    static func processes(withArguments words: [String]) -> [Process] {
        let ids = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { pid_t($0) } ?? []
        return ids.compactMap { id in
            guard let line = FileManager.default.contents(atPath: "/proc/\(id)/cmdline") else { return nil }
            let arguments = line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            let runs = arguments.indices.contains { arguments[$0...].starts(with: words) }
            guard runs, let parent = parent(of: id) else { return nil }
            return Process(id: id, parent: parent)
        }
    }

    /// The parent's id; `nil` for a process that is gone or a zombie.
    private static func parent(of id: pid_t) -> pid_t? {
        guard let data = FileManager.default.contents(atPath: "/proc/\(id)/stat") else { return nil }
        // The name in parentheses may itself hold spaces and parentheses (proc(5)).
        let fields = String(decoding: data, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 1, fields[0] != "Z", fields[0] != "X" else { return nil }
        return pid_t(fields[1])
    }
}
