import Foundation

/// Two processes on one directory that share the work and the enqueueing. The figures are those of both together.
struct PairPart {
    private let directory: URL
    private let requests: Int
    private let callers: Int

    init(_ options: PartOptions) {
        requests = options.number("requests", default: 10_000)
        callers = options.number("callers", default: 1000)
        directory = options.directory
    }

    func measure() async throws -> [String: Double] {
        let gate = StartGate(directory: directory)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        async let first = member("first")
        async let second = member("second")
        try await gate.open(for: ["first", "second"])
        let (one, other) = try await (first, second)
        // Each says what it took for all the jobs, so the processor times add up, and the slower one ends the run.
        return [
            "cpu": (one["cpu"] ?? .nan) + (other["cpu"] ?? .nan),
            "rate": min(one["rate"] ?? .nan, other["rate"] ?? .nan),
        ]
    }

    private func member(_ name: String) async throws -> [String: Double] {
        try await PartProcess.thisBuild.run(
            .member, ["directory=\(directory.path)", "name=\(name)", "requests=\(requests)", "callers=\(callers)"])
    }
}
