import Foundation

/// The demo's files, all below one temporary folder.
struct DemoFolder {
    let root: String

    init() throws {
        root =
            FileManager.default.temporaryDirectory.path(percentEncoded: false)
            .trimmingSuffix("/") + "/bgwork-demo-\(getpid())"
        try FileManager.default.createDirectory(atPath: scheduler, withIntermediateDirectories: true)
    }

    /// What the local server serves.
    var source: String { root + "/source.txt" }
    /// The scheduler's directory.
    var scheduler: String { root + "/scheduler" }
    var stateFile: String { scheduler + "/bg_url_session_state.json" }
    var workDatabase: String { scheduler + "/work.sqlite" }
    var journal: String { scheduler + "/agent/agent.sqlite" }
    var staging: String { scheduler + "/agent/staging" }
    var report: String { scheduler + "/report.json" }
    var serverLog: String { root + "/server-requests.jsonl" }
    /// What hosts started by the demo print.
    var hostLog: String { root + "/host.log" }
    /// What hosts started by the agent print.
    var relaunchedHostLog: String { scheduler + "/agent/host.log" }

    var agentLog: String { scheduler + "/agent/agent.log" }

    /// Writes lines of numbered text, the same at every run.
    func makeSource(bytes: Int) throws {
        try Data().write(to: URL(filePath: source))
        let file = try FileHandle(forWritingTo: URL(filePath: source))
        defer { try? file.close() }
        var written = 0
        var line = 0
        var state: UInt64 = 0x9e37_79b9_7f4a_7c15
        while written < bytes {
            var text = ""
            while text.utf8.count < 1 << 16 {
                line += 1
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                text += "line \(line) \(String(state, radix: 36))\n"
            }
            let piece = Data(text.utf8).prefix(bytes - written)
            try file.write(contentsOf: piece)
            written += piece.count
        }
    }

    /// The bytes that the agent has staged so far.
    var stagedBytes: Int64? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: staging)) ?? []
        return names.filter { $0.hasSuffix(".part") }.compactMap { name in
            let attributes = try? FileManager.default.attributesOfItem(atPath: staging + "/" + name)
            return (attributes?[.size] as? NSNumber)?.int64Value
        }.max()
    }

    /// A host that the agent has launched, by the agent's log.
    struct Launch: Hashable {
        var process: pid_t
        var reason: String
    }

    /// All launches so far, in order.
    var launches: [Launch] {
        let text = (try? String(contentsOfFile: agentLog, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            guard let begin = line.firstRange(of: "launched the host for "), let end = line.lastIndex(of: " "),
                let process = pid_t(line[line.index(after: end)...])
            else { return nil }
            let reason = line[begin.upperBound...].prefix { $0 != ":" }
            return Launch(process: process, reason: String(reason))
        }
    }

    func remove() { try? FileManager.default.removeItem(atPath: root) }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
