#if os(Linux)
import BackgroundWork
import BackgroundWorkTesting
import Foundation
import Glibc

/// The main job for everyone to see: a chain whose download goes on while its host is dead.
struct Demo {
    private static let sourceBytes = 24 << 20
    private static let bytesPerSecond = 6 << 20
    /// Nothing in the demo takes longer; a demo that hangs must end, too.
    private static let patience = Duration.seconds(300)

    private let options: DemoOptions
    private let folder: DemoFolder
    private let databases: DemoDatabases
    private let clock = ContinuousClock()

    init(_ options: DemoOptions) throws {
        self.options = options
        folder = try DemoFolder()
        databases = DemoDatabases(folder: folder)
    }

    /// Runs it, and returns whether every check held.
    func run() async throws -> Bool {
        defer { if !options.keepsFolder { folder.remove() } }
        let line = ProgressLine()
        let server = try await startServer(line)
        defer { server?.stop() }
        let order = try await order(from: server)
        var host = try HostProcess(order: order, folder: folder)
        var story = DemoStory(firstHost: host.id)
        line.say("host \(host.id) enqueued a chain: download -> verify SHA-256 -> count and report")
        let total = options.order == nil ? Int64(Self.sourceBytes) : nil
        do {
            if options.kill != .nobody { try await killHost(host, &story, line, total: total) }
            if options.kill == .hostAndAgent {
                try await killAgent(&story, line, total: total)
                host = try HostProcess(order: nil, folder: folder)
                line.say("host \(host.id) was launched by hand, and brings a new agent with it")
            }
            try await finish(&story, line, total: total)
        } catch let failure as DemoFailure {
            line.say("FAIL: \(failure.description)")
            printLogs(line)
            await stopEverything()
            return false
        }
        await stopEverything()
        let checks = DemoChecks(
            order: order, isOwnFile: options.order == nil, kill: options.kill, folder: folder, databases: databases,
            story: story, server: server)
        let list = try await checks.run()
        line.say("")
        for entry in list.lines { line.say(entry) }
        if list.failures > 0 { printLogs(line) }
        line.say(
            list.failures == 0
                ? "All checks held." : "\(list.failures) checks failed. Folder: \(folder.root) (--keep keeps it)")
        return list.failures == 0
    }

    private func order(from server: LocalHTTPServer?) async throws -> DownloadOrder {
        if let order = options.order { return order }
        return DownloadOrder(
            url: server?.url("/file") ?? "", savePath: folder.scheduler + "/downloads/file.txt",
            sha256: try await FileDigest.sha256(ofFileAt: folder.source))
    }

    private func startServer(_ line: ProgressLine) async throws -> LocalHTTPServer? {
        guard options.order == nil else { return nil }
        try folder.makeSource(bytes: Self.sourceBytes)
        let server = try LocalHTTPServer(logFile: folder.serverLog)
        server.serve(.file(path: folder.source), at: "/file")
        server.setBehaviour(.throttle(bytesPerSecond: Self.bytesPerSecond), for: "/file")
        try server.start()
        line.say(
            "serving \(ByteCount.text(Int64(Self.sourceBytes))) at \(server.url("/file")), "
                + "\(ByteCount.text(Int64(Self.bytesPerSecond)))/s")
        return server
    }

    private func killHost(
        _ host: HostProcess, _ story: inout DemoStory, _ line: ProgressLine, total: Int64?
    ) async throws {
        let third = (total ?? 3 << 20) / 3
        try await watch("a third of the file", line, total: total, note: "host \(host.id) is alive") {
            (folder.stagedBytes ?? 0) >= third || hasEvents
        }
        host.kill()
        try await watch("the host's death", line, total: total, note: "killing the host") { !host.isRunning }
        guard !hasEvents, try databases.activeTransfers() > 0 else {
            throw DemoFailure(
                description: "the download ended before the host could be killed. Take a larger file or a slower "
                    + "server, or run it with --no-kill.")
        }
        let staged = folder.stagedBytes ?? 0
        story.stagedAtHostKill = staged
        story.agent = agents.first?.id
        line.say("host \(host.id) was killed (SIGKILL) at \(ByteCount.text(staged)); no host is running now")
        let next = total.map { $0 / 2 } ?? staged + 1
        try await watch("progress without a host", line, total: total, note: "no host; the agent goes on") {
            (folder.stagedBytes ?? .max) >= next || hasEvents
        }
        if hosts.isEmpty { story.stagedWithoutHost = folder.stagedBytes }
    }

    private func killAgent(_ story: inout DemoStory, _ line: ProgressLine, total: Int64?) async throws {
        guard let agent = agents.first else { throw DemoFailure(description: "there is no agent to kill") }
        Glibc.kill(agent.id, SIGKILL)
        try await watch("the agent's death", line, total: total, note: "killing the agent") { agents.isEmpty }
        story.stagedAtAgentKill = folder.stagedBytes
        line.say(
            "agent \(agent.id) was killed (SIGKILL) at \(ByteCount.text(folder.stagedBytes ?? 0)); "
                + "nothing is running now")
    }

    private func finish(_ story: inout DemoStory, _ line: ProgressLine, total: Int64?) async throws {
        var seen = 0
        let note = options.kill == .host ? "no host; the agent goes on" : "a host is alive"
        try await watch("the chain's last event", line, total: total, note: note) {
            let events = (try? databases.events()) ?? []
            for event in events.dropFirst(seen) {
                line.say("event: \(event.workID) \(event.outcome): \(event.message)")
            }
            seen = events.count
            return seen >= 3
        }
        try await watch("the host that finished the work", line, total: nil, note: "") { !hosts.isEmpty }
        story.agent = agents.first?.id
        story.lastHost = hosts.first
        // The daemon forgets a transfer, and the state file its entry, just after the event.
        try await watch("the end of the clean-up", line, total: nil, note: "") {
            let entries = (try? databases.stateEntries()) ?? 1
            return entries == 0 && ((try? databases.journaledTransfers()) ?? 1) == 0
        }
    }

    /// Looks every 20 ms until `condition` holds, drawing the progress meanwhile.
    private func watch(
        _ what: String, _ line: ProgressLine, total: Int64?, note: String, until condition: () -> Bool
    ) async throws {
        let deadline = clock.now.advanced(by: Self.patience)
        while !condition() {
            guard clock.now < deadline else {
                throw DemoFailure(description: "\(what) did not come within \(Self.patience)")
            }
            if !note.isEmpty || total != nil, let bytes = folder.stagedBytes {
                line.show(bytes: bytes, total: total, note: note)
            }
            try await clock.sleep(for: .milliseconds(20))
        }
    }

    /// Whether a request has finished already.
    private var hasEvents: Bool { ((try? databases.events()) ?? []).isEmpty == false }

    private var hosts: [ProcessTable.Process] {
        ProcessTable.processes(withArguments: ["demo-host", "--directory", folder.scheduler])
    }

    private var agents: [ProcessTable.Process] {
        ProcessTable.processes(withArguments: ["agent", "--directory", folder.scheduler])
    }

    /// Asks hosts and agent to leave, as a system that shuts down would.
    private func stopEverything() async {
        for find in [{ hosts }, { agents }] {
            for process in find() { Glibc.kill(process.id, SIGTERM) }
            let deadline = clock.now.advanced(by: .seconds(20))
            while !find().isEmpty, clock.now < deadline { try? await clock.sleep(for: .milliseconds(20)) }
        }
        for process in hosts + agents { Glibc.kill(process.id, SIGKILL) }
    }

    private func printLogs(_ line: ProgressLine) {
        for path in [folder.hostLog, folder.relaunchedHostLog, folder.scheduler + "/agent/agent.log"] {
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { continue }
            line.say("--- \(path)\n\(text)")
        }
    }
}
#endif
