import BackgroundWork
import Foundation

/// The agent against `curl` and `aria2c`: one large file, many small ones, an idle agent, many transfers in flight.
struct TransfersBenchmark {
    static let usage = """
        usage: bgwork-bench transfers [--agent PROGRAM] [--only large|small|idle|flight]
                 [--bytes N] [--runs N] [--files N] [--file-bytes N] [--seconds N] [--transfers N] [--folder DIR]
        """

    private enum Part: String, CaseIterable {
        case large, small, idle, flight

        var programs: [String] {
            switch self {
            case .large, .small: ["nginx", "curl", "aria2c"]
            case .idle: ["nginx", "curl", "strace"]
            case .flight: ["nginx", "curl"]
            }
        }
    }

    /// Its folder has to be on a disk for the syncs to mean anything.
    private let options: BenchmarkOptions<Part>
    /// `nil`: the one that is built beside this program.
    private var agent: String? { options.texts["--agent"] }

    /// `nil` when the arguments make no sense.
    init?(_ arguments: some Sequence<String>) {
        let numbers = [
            "--bytes": 1 << 30, "--runs": 5, "--files": 10_000, "--file-bytes": 1000, "--seconds": 10,
            "--transfers": 1000,
        ]
        guard let options = BenchmarkOptions<Part>(arguments, numbers: numbers, texts: ["--agent"]),
            options.texts["--agent"]?.hasPrefix("/") ?? true
        else { return nil }
        self.options = options
    }

    func run() async throws {
        try NeededPrograms.check(Array(Set(options.parts.flatMap(\.programs))).sorted())
        let agent: String = if let named = self.agent { named } else { try await AgentProgram.built() }
        let folder = "\(options.parent)/bgwork-bench-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // ext4 then takes the inodes of its folders from different places (chattr(1)), so that what one program deletes
        // is in the way of that program only. Other file systems do not have this attribute.
        try? await CommandLineTool.run("chattr", ["+T", folder])
        let server = try await BenchmarkServer(folder: folder)
        defer { server.stop() }
        print("transfers: nginx on loopback, agent \(agent)")
        for part in options.parts {
            switch part {
            case .large:
                try await LargeFileBenchmark(
                    bytes: options.number("--bytes"), runs: options.number("--runs"), agent: agent, folder: folder,
                    server: server
                ).run()
            case .small:
                try await SmallFilesBenchmark(
                    files: options.number("--files"), bytes: options.number("--file-bytes"),
                    runs: options.number("--runs"), agent: agent,
                    folder: folder, server: server
                ).run()
            case .idle: try await IdleCost(seconds: options.number("--seconds"), agent: agent, folder: folder).run()
            case .flight:
                // First as many as the agent runs by default, then all at once.
                for running in [TransferLimits().overall, options.number("--transfers")] {
                    try await InFlightCost(
                        transfers: options.number("--transfers"), running: running, agent: agent, folder: folder,
                        server: server
                    ).run()
                }
            }
        }
    }
}
