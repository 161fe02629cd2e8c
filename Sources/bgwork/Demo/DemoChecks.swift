import BackgroundWork
import BackgroundWorkModel
import BackgroundWorkSystem
import BackgroundWorkTesting
import Foundation

/// Verifies the demo's outcome by reading it back: the file, the server's own log, /proc as it was read at each step,
/// the agent's log, both databases and the state file.
struct DemoChecks {
    /// The chain's items, in order.
    static let members = ["demo/0.0", "demo/1.0", "demo/2.0"]

    var order: DownloadOrder
    var kill: DemoOptions.Kill
    var folder: DemoFolder
    var databases: DemoDatabases
    var story: DemoStory
    var server: LocalHTTPServer?

    func run() async throws -> Checklist {
        var list = Checklist()
        try await checkFile(&list)
        checkRequests(&list)
        if kill != .none { checkLifeWithoutHost(&list) }
        try checkEvents(&list)
        try checkLeftovers(&list)
        return list
    }

    private func checkFile(_ list: inout Checklist) async throws {
        guard FileManager.default.fileExists(atPath: order.savePath) else {
            list.check("the file", false, "there is no file at \(order.savePath)")
            return
        }
        let digest = try await FileDigest.sha256(ofFileAt: order.savePath)
        if let expected = order.sha256 {
            list.check("SHA-256 of \(order.savePath)", digest == expected, digest)
        } else {
            list.skip("SHA-256 of \(order.savePath)", "\(digest); pass --sha256 to compare it")
        }
        let report = try JSONCoding.value(
            ReportWorker.Report.self, from: String(contentsOfFile: folder.report, encoding: .utf8))
        let data = try Data(contentsOf: URL(filePath: order.savePath), options: .mappedIfSafe)
        let counted = ReportWorker.Report(
            sha256: digest, lines: data.reduce(0) { $1 == 0x0a ? $0 + 1 : $0 }, bytes: data.count)
        list.check(
            "the report, made from the outputs of the steps before", report == counted,
            "\(report.lines) lines, \(report.bytes) bytes")
    }

    private func checkRequests(_ list: inout Checklist) {
        guard let server else {
            list.skip("bytes fetched twice", "the server is not the demo's, so its log cannot be read")
            return
        }
        let requests = server.requests.filter { $0.path == "/file" }
        let starts = requests.map { $0.range?.start ?? 0 }
        let shown = requests.map { "\($0.status) from byte \($0.range?.start ?? 0)" }.joined(separator: ", ")
        // Bytes that were on disk when a request was made, and were requested again.
        let onDisk = [0, story.stagedAtAgentKill].compactMap { $0 }
        let again = zip(onDisk, starts).reduce(Int64(0)) { $0 + max(0, $1.0 - Int64($1.1)) }
        list.check(
            "bytes fetched twice", again == 0 && requests.count == onDisk.count, "\(again) (server's log: \(shown))")
        if kill == .hostAndAgent {
            let last = requests.last
            let resumed = last?.status == 206 && Int64(last?.range?.start ?? 0) == story.stagedAtAgentKill
            list.check(
                "resumed by range after the agent's death", resumed && last?.header("If-Range") != nil,
                "from byte \(last?.range?.start ?? 0) with If-Range")
        }
    }

    private func checkLifeWithoutHost(_ list: inout Checklist) {
        let before = story.stagedAtHostKill ?? 0
        let reasons = story.launches.map(\.reason)
        if let alone = story.lifeWithoutHost {
            list.check(
                "the transfer continued without a host", alone.staged > before && alone.hosts == 0,
                "\(ByteCount.text(before)) -> \(ByteCount.text(alone.staged)), launches: \(alone.hosts)")
        } else {
            // The server could not be paused: the bytes missing when the host was killed arrived before the first
            // launch.
            let bytes = (try? FileManager.default.attributesOfItem(atPath: order.savePath)[.size] as? Int64) ?? 0
            list.check(
                "the transfer continued without a host", bytes > before && reasons.first == Self.reasonForFile,
                "\(ByteCount.text(before)) -> \(ByteCount.text(bytes)) before a launch")
        }
        if kill == .host {
            let launched = story.launches.first?.process ?? 0
            list.check(
                "the agent launched one host",
                reasons == [Self.reasonForFile] && launched != story.firstHost
                    && story.lastHosts == [ProcessTable.Process(id: launched, parent: story.agent ?? 0)],
                "host \(launched), child of agent \(story.agent ?? 0)")
        } else {
            list.check("hosts launched by agents", reasons.isEmpty, "\(reasons.count) (agent's log)")
        }
    }

    /// The reason in the agent's log for a launch after a finished download.
    private static let reasonForFile = "undelivered outcomes"

    private func checkEvents(_ list: inout Checklist) throws {
        let events = try databases.events()
        list.check(
            "events per request",
            events.map(\.workID) == Self.members && events.allSatisfy { $0.outcome == "succeeded" },
            "\(Double(events.count) / 3 == 1 ? "1" : "\(events.count) for 3") (work database)")
        // Read from what the hosts printed when they received the events, before acknowledging them.
        let printed = [folder.hostLog, folder.relaunchedHostLog].flatMap { path in
            ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n").compactMap { line in
                line.hasPrefix("event ") ? line.split(separator: " ").dropFirst(2).first.map(String.init) : nil
            }
        }
        list.check(
            "each event delivered once", printed.sorted() == Self.members, printed.sorted().joined(separator: ", "))
        let unfinished = try databases.unfinishedItems()
        list.check("work items not finished", unfinished.isEmpty, "\(unfinished.count) (work database)")
    }

    private func checkLeftovers(_ list: inout Checklist) throws {
        let entries = try databases.stateEntries()
        list.check("entries left in bg_url_session_state.json", entries == 0, "\(entries)")
        let transfers = try databases.journaledTransfers()
        list.check("transfers left in the agent's journal", transfers == 0, "\(transfers)")
        let wakes = try databases.wakes()
        list.check("wakes left in the agent's journal", wakes == 0, "\(wakes)")
        let folders = [folder.staging, URL(filePath: order.savePath).deletingLastPathComponent().path]
        let files = folders.flatMap { (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? [] }
            .filter { $0.hasSuffix(".part") || $0.contains(".bgwork-") }
        list.check("staging files left", files.isEmpty, "\(files.count)")
        list.check("processes left after they were told to end", story.leftBehind == 0, "\(story.leftBehind)")
    }
}

/// What the demo has recorded at each step, for the checks at the end.
struct DemoStory {
    /// The host that was started first.
    var firstHost: pid_t = 0
    /// Staged bytes when the host had ended.
    var stagedAtHostKill: Int64?
    /// The agent that was running then.
    var agent: pid_t?
    /// The staged bytes, and the number of hosts so far, after the agent had continued alone.
    private(set) var lifeWithoutHost: (staged: Int64, hosts: Int)?
    /// Staged bytes when the agent had ended.
    var stagedAtAgentKill: Int64?
    /// The hosts that were running when the work was done, and all launches by agents until then.
    var lastHosts: [ProcessTable.Process] = []
    var launches: [DemoFolder.Launch] = []
    /// How many processes did not end when they were told to.
    var leftBehind = 0

    /// A host of the demo never ends by itself, so a launched one would still run and be in the agent's log.
    mutating func noteLifeWithoutHost(staged: Int64?, hosts: [ProcessTable.Process], launches: [DemoFolder.Launch]) {
        lifeWithoutHost = (staged ?? 0, max(hosts.count, launches.count))
    }
}
