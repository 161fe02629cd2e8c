import BackgroundWork
import BackgroundWorkSystem
import BackgroundWorkTesting
import Foundation

/// Demonstrates the main purpose: a chain whose download continues while its host is not running.
///
/// The demo's own server pauses the file at a third and at two thirds, so the events in between cannot come too early
/// or too late, however slow the machine is. The checks use what was recorded.
struct Demo {
    private static let sourceBytes: Int64 = 24 << 20
    private static let bytesPerSecond = 6 << 20
    private static let path = "/file"

    private let options: DemoOptions
    private let folder: DemoFolder
    private let databases: DemoDatabases
    private let processes: DemoProcesses
    private let line = ProgressLine()
    private let watch: DemoWatch

    init(_ options: DemoOptions) throws {
        StopSignals.catchThem()
        self.options = options
        folder = try DemoFolder()
        databases = DemoDatabases(folder: folder)
        processes = try DemoProcesses(folder: folder)
        watch = DemoWatch(folder: folder, databases: databases, line: line, total: Self.total(options))
    }

    /// Runs it, and returns whether every check held; false as well when a signal has stopped it.
    func run() async throws -> Bool {
        defer { if !options.keepsFolder { folder.remove() } }
        do {
            let holds = try await runUnlessStopped()
            await processes.killAll()
            return holds
        } catch let stopped as StopSignals.Stopped {
            await processes.killAll()
            line.say("\(stopped): the host and the agent were stopped as well")
            return false
        } catch {
            await processes.killAll()
            throw error
        }
    }

    private func runUnlessStopped() async throws -> Bool {
        let server = try startServer()
        defer { server?.stop() }
        let order = try await order(from: server)
        var story = DemoStory()
        do {
            try await act(&story, order, server)
        } catch let failure as DemoFailure {
            line.say("FAIL:", failure.description)
            printLogs()
            return false
        }
        story.leftBehind = await processes.askToLeave()
        try StopSignals.check()
        let checks = DemoChecks(
            order: order, kill: options.kill, folder: folder, databases: databases, story: story, server: server)
        let list = try await checks.run()
        line.say("")
        for entry in list.lines { line.say(entry) }
        if list.failures > 0 { printLogs() }
        line.say(
            list.failures == 0
                ? "All checks held." : "\(list.failures) checks failed. Folder: \(folder.root) (--keep keeps it)")
        return list.failures == 0
    }

    private func act(_ story: inout DemoStory, _ order: DownloadOrder, _ server: LocalHTTPServer?) async throws {
        var host = try processes.startHost(order)
        line.say("host \(host) enqueued a chain: download -> verify SHA-256 -> count and report")
        story.firstHost = host
        if options.kill != .none { try await killHost(host, &story, server) }
        if options.kill == .hostAndAgent {
            try await killAgent(&story)
            host = try processes.startHost(nil)
            line.say("host \(host) was started by the demo, and starts a new agent")
        }
        server?.release(Self.path)
        try await finish(options.kill == .host ? nil : host, &story)
    }

    // MARK: - The file

    private static func total(_ options: DemoOptions) -> Int64? { options.order == nil ? sourceBytes : nil }

    private func order(from server: LocalHTTPServer?) async throws -> DownloadOrder {
        if let order = options.order { return order }
        return DownloadOrder(
            url: server?.url(Self.path) ?? "", savePath: folder.scheduler + "/downloads/file.txt",
            sha256: try await FileDigest.sha256(ofFileAt: folder.source))
    }

    private func startServer() throws -> LocalHTTPServer? {
        guard options.order == nil else { return nil }
        try folder.makeSource(bytes: Int(Self.sourceBytes))
        let server = try LocalHTTPServer(logFile: folder.serverLog)
        server.serve(.file(path: folder.source), at: Self.path)
        server.setBehaviour(
            .with { behaviour in
                behaviour.bytesPerSecond = Self.bytesPerSecond
                behaviour.holdsAfter = options.kill == .none ? nil : Self.sourceBytes / 3
            }, for: Self.path)
        try server.start()
        line.say(
            "serving \(ByteCount.text(Self.sourceBytes)) at \(server.url(Self.path)), "
                + "\(ByteCount.text(Int64(Self.bytesPerSecond)))/s")
        return server
    }

    // MARK: - Steps

    private func killHost(_ host: pid_t, _ story: inout DemoStory, _ server: LocalHTTPServer?) async throws {
        let third = server == nil ? 1 << 20 : Self.sourceBytes / 3
        // With a due wake the agent would launch a host as soon as this one has ended.
        try await watch.until(
            "the hand-off of a started download", note: "host \(host) is alive",
            unless: { ended(host) ?? tooFast("host") }
        ) {
            (folder.stagedBytes ?? 0) >= third && databases.isHandedOff(DemoChecks.members[0])
                && databases.dueWakes() == 0
        }
        kill(host, SIGKILL)
        try await watch.until("the host's end", note: "killing the host") { processes.end(of: host) != nil }
        if try databases.activeTransfers() == 0 || hasEvents { throw DemoFailure(description: Self.fast("host")) }
        guard let agent = processes.agents.first else {
            throw DemoFailure(description: "no agent runs after the host has ended; it should have continued")
        }
        story.agent = agent.id
        let staged = folder.stagedBytes ?? 0
        story.stagedAtHostKill = staged
        line.say("host \(host) was killed (SIGKILL) at \(ByteCount.text(staged)); no host is running now")
        guard let server else { return try await watchAlone(agent.id, beyond: staged, &story) }
        let next = Self.sourceBytes / 3 * 2
        server.release(Self.path, upTo: next)
        try await watch.until(
            "progress without a host", note: "no host; the agent continues",
            unless: { ended(agent.id) ?? unexpectedHost }
        ) { (folder.stagedBytes ?? 0) >= next }
        story.noteLifeWithoutHost(staged: folder.stagedBytes, hosts: processes.hosts, launches: folder.launches)
    }

    /// Another server than the demo's does not pause, so the file may be complete, and a host may be launched for it.
    private func watchAlone(_ agent: pid_t, beyond staged: Int64, _ story: inout DemoStory) async throws {
        guard options.kill == .hostAndAgent else { return }
        try await watch.until(
            "progress without a host", note: "no host; the agent continues",
            unless: { ended(agent) ?? tooFast("agent") }
        ) { (folder.stagedBytes ?? 0) > staged + (256 << 10) }
        story.noteLifeWithoutHost(staged: folder.stagedBytes, hosts: processes.hosts, launches: folder.launches)
    }

    private func killAgent(_ story: inout DemoStory) async throws {
        guard let agent = story.agent else { throw DemoFailure(description: "there is no agent to kill") }
        kill(agent, SIGKILL)
        try await watch.until("the agent's end", note: "killing the agent") { processes.end(of: agent) != nil }
        if try databases.activeTransfers() == 0 || hasEvents { throw DemoFailure(description: Self.fast("agent")) }
        if let unexpectedHost { throw DemoFailure(description: unexpectedHost) }
        if let other = processes.agents.first {
            throw DemoFailure(
                description: "agent \(other.id) has started, but only a host starts an agent, and none is running")
        }
        let staged = folder.stagedBytes ?? 0
        story.stagedAtAgentKill = staged
        line.say("agent \(agent) was killed (SIGKILL) at \(ByteCount.text(staged)); nothing is running now")
    }

    /// - Parameter host: the host that finishes the work, if the demo has started it.
    private func finish(_ host: pid_t?, _ story: inout DemoStory) async throws {
        var seen = 0
        let agent = story.agent
        let mishap = { host.map(ended) ?? agent.flatMap(ended) }
        try await watch.until(
            "the chain's last event", note: host == nil ? "no host; the agent continues" : "a host is alive",
            unless: mishap
        ) {
            let events = (try? databases.events()) ?? []
            for event in events.dropFirst(seen) {
                line.say("event: \(event.workID) \(event.outcome):", event.message)
            }
            seen = events.count
            return seen >= DemoChecks.members.count
        }
        // Just after the last event the host acknowledges its events, the agent deletes the transfer and the wakes, and
        // the state file's entry is removed.
        try await watch.until("the end of the clean-up", unless: mishap) {
            (try? databases.undeliveredEvents() == 0 && databases.stateEntries() == 0
                && databases.journaledTransfers() == 0 && databases.wakes() == 0) ?? false
        }
        story.lastHosts = processes.hosts
        story.launches = folder.launches
    }

    // MARK: - Unexpected ends

    /// Whether a request has finished already.
    private var hasEvents: Bool { ((try? databases.events()) ?? []).isEmpty == false }

    private func ended(_ id: pid_t) -> String? {
        processes.end(of: id).map { "process \(id) has ended by itself (\($0))" }
    }

    private var unexpectedHost: String? {
        processes.hosts.first.map { "host \($0.id) has started, although there is no work for it yet" }
    }

    private func tooFast(_ victim: String) -> String? {
        hasEvents || !folder.launches.isEmpty ? Self.fast(victim) : nil
    }

    private static func fast(_ victim: String) -> String {
        "the download ended before the \(victim) could be killed.\n"
            + "          Use a larger file or a slower server, or run it with --no-kill."
    }

    private func printLogs() {
        for path in [folder.hostLog, folder.relaunchedHostLog, folder.agentLog] {
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { continue }
            line.say("--- \(path)\n\(text)")
        }
    }
}
