import BackgroundWork
import Foundation

/// Requests from this process against the `curl` program, each in a process of its own, in turns: many small ones, and one
/// large file by https.
struct HTTPBenchmark {
    static let usage = """
        usage: bgwork-bench http [--only small|large] [--requests N] [--parallel N] [--bytes N] [--runs N] [--folder DIR]
        """

    private enum Part: String, CaseIterable { case small, large }

    private let options: BenchmarkOptions<Part>

    /// `nil` when the arguments make no sense.
    init?(_ arguments: some Sequence<String>) {
        let numbers = ["--requests": 1000, "--parallel": 16, "--bytes": 1 << 30, "--runs": 9]
        guard let options = BenchmarkOptions<Part>(arguments, numbers: numbers) else { return nil }
        self.options = options
    }

    func run() async throws {
        try NeededPrograms.check(["nginx", "curl", "openssl"])
        let folder = "\(options.parent)/bgwork-bench-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = try await BenchmarkServer(folder: folder)
        defer { server.stop() }
        for part in options.parts {
            switch part {
            case .small: try await small(folder, server)
            case .large: try await large(folder, server)
            }
        }
    }

    private func small(_ folder: String, _ server: BenchmarkServer) async throws {
        let (count, parallel) = (options.number("--requests"), options.number("--parallel"))
        print("\(count) requests of 1,000 bytes, \(parallel) at a time, by http")
        let urls = try server.serveFiles(1, bytes: 1000)
        let list = folder + "/curl.list"
        try (0..<count).map { _ in "url = \"\(urls[0])\"\noutput = /dev/null\n" }.joined()
            .write(toFile: list, atomically: true, encoding: .utf8)
        try await compare(
            ours: ["http-part", "small", urls[0], "\(count)", "\(parallel)"],
            curl: ["-s", "-S", "-f", "--no-progress-meter", "--parallel", "--parallel-max", "\(parallel)", "-K", list])
    }

    private func large(_ folder: String, _ server: BenchmarkServer) async throws {
        let bytes = options.number("--bytes")
        print("one file of \(bytes) bytes by https, to a file")
        _ = try await server.serveFile(named: "large", bytes: bytes)
        let url = server.secureURL(of: "large")
        try await compare(
            ours: ["http-part", "large", url, server.authority, folder + "/ours"],
            curl: ["-s", "-S", "-f", "--http1.1", "--cacert", server.authority, "-o", folder + "/theirs", url],
            files: [folder + "/ours", folder + "/theirs"])
    }

    /// The median ratios of both, after a run of each that does not count.
    ///
    /// - Parameter files: what they write. Deleted before each run, which otherwise pays for the deletion of the last file.
    private func compare(ours: [String], curl: [String], files: [String] = []) async throws {
        let program = CommandLine.arguments[0]
        func measure(_ program: String, _ arguments: [String]) async throws -> MeasuredProgram.Cost {
            for file in files { try? FileManager.default.removeItem(atPath: file) }
            return try await MeasuredProgram.run(program, arguments)
        }
        _ = (try await measure(program, ours), try await measure("curl", curl))
        var (wall, cpu): ([Double], [Double]) = ([], [])
        for run in 1...options.number("--runs") {
            let first = run % 2 == 0
            var mine = first ? try await measure(program, ours) : nil
            let theirs = try await measure("curl", curl)
            if !first { mine = try await measure(program, ours) }
            guard let mine else { continue }
            wall.append(mine.seconds / theirs.seconds)
            cpu.append(mine.cpuSeconds / theirs.cpuSeconds)
            print(
                "  \(mine.seconds.short) s, CPU \(mine.cpuSeconds.short) s; curl \(theirs.seconds.short) s, CPU "
                    + "\(theirs.cpuSeconds.short) s; ratios \(wall[run - 1].short) and \(cpu[run - 1].short)")
        }
        print("  median ratio to curl: time \(wall.median.short), CPU \(cpu.median.short)")
    }
}

/// What ``HTTPBenchmark`` runs in a process of its own.
enum HTTPPart {
    static func run(_ arguments: [String]) async throws {
        var configuration = HTTPTransport.Configuration()
        configuration.securityPolicy = .unrestricted
        let transport = HTTPTransport(configuration: configuration)
        switch arguments.first {
        case "small" where arguments.count == 4:
            guard let count = Int(arguments[2]), let parallel = Int(arguments[3]) else { exit(64) }
            try await small(arguments[1], count, parallel, transport)
        case "large" where arguments.count == 4:
            var request = HTTPRequest(arguments[1])
            request.tls.additionalAuthoritiesPath = arguments[2]
            let response = try await transport.download(request, to: arguments[3])
            guard response.head.isSuccess else { exit(1) }
        default: exit(64)
        }
    }

    private static func small(_ url: String, _ count: Int, _ parallel: Int, _ transport: HTTPTransport) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<count {
                if index >= parallel { try await group.next() }
                group.addTask {
                    let response = try await transport.send(HTTPRequest(url))
                    guard response.status == 200, response.body.count == 1000 else { exit(1) }
                }
            }
            try await group.waitForAll()
        }
    }
}
