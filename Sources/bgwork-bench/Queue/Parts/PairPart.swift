import BackgroundWork
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

/// One of the two processes of ``PairPart``: enqueues its half, and is done when it has seen the events of both.
struct PairMemberPart {
    private let queue: NoOpQueue
    private let name: String
    private let requests: Int
    private let callers: Int

    init(_ options: PartOptions) {
        requests = options.number("requests", default: 10_000)
        callers = options.number("callers", default: 1000)
        name = options.text("name", default: "only")
        queue = NoOpQueue(directory: options.directory, retainedEvents: requests * 2)
    }

    func measure() async throws -> [String: Double] {
        let scheduler = try await queue.started()
        let events = try await scheduler.eventBus.events(for: name)
        try await StartGate(directory: queue.directory).pass(as: name)
        let meter = Meter()
        async let enqueued: Void = NoOpQueue.enqueue(
            NoOpQueue.plain, count: requests / 2, callers: callers / 2, prefix: name, on: scheduler)
        try await NoOpQueue.count(events, upTo: requests)
        try await enqueued
        let figures = meter.figures(jobs: requests)
        await scheduler.shutdown()
        return figures
    }
}

/// Lets processes on one directory begin at the same time, by files in it.
struct StartGate {
    var directory: URL

    /// Opens as soon as all are there.
    func open(for names: [String]) async throws {
        for name in names { try await wait(for: name) }
        try Data().write(to: file("go"))
    }

    /// Waits until the gate opens.
    func pass(as name: String) async throws {
        try Data().write(to: file(name))
        try await wait(for: "go")
    }

    private func file(_ name: String) -> URL { directory.appending(path: "gate-\(name)") }

    private func wait(for name: String) async throws {
        while !FileManager.default.fileExists(atPath: file(name).path) { try await Task.sleep(for: .milliseconds(1)) }
    }
}
