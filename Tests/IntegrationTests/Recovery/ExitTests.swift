import BackgroundWork
import BackgroundWorkSystem
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// What the end of a program means for the work that it was running: by `exit`, which is no sign of anything wrong, and
/// by everything that may be the work's doing.
@Suite(.serialized, .fewAtATime, .timeLimit(.minutes(5)))
struct ExitTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var log: String { folder.path + "/log" }

    private func directory(_ name: String = "scheduler") -> String { "\(folder.path)/\(name)" }

    /// Starts a program that ends while its work runs, and waits for the end.
    @discardableResult
    private func run(_ end: String, worker: String = "Hold", in directories: [String]) async throws
        -> ChildProcess.Change
    {
        let host = try ChildProcess(
            Programs.host, ["exiting", log, end, worker] + directories,
            environment: ProcessInfo.processInfo.environment, log: folder.path + "/host.log")
        return await host.nextChange()
    }

    /// Runs what is there, in this process, and returns the events.
    private func finish(_ directory: String) async throws -> [ExecutionRecord] {
        var workers = WorkerRegistry()
        for name in ["Hold", "Once", "SlowToDecode"] { try workers.register(name) { _, _ in .success() } }
        let scheduler = try WorkScheduler(configuration: .init(directory: URL(filePath: directory)), workers: workers)
        try await scheduler.start()
        await scheduler.waitUntilIdle()
        let history = try await scheduler.executionHistory(limit: 100)
        await scheduler.shutdown()
        return history
    }

    private func scheduler(_ directory: String) throws -> WorkScheduler {
        try WorkScheduler(configuration: .init(directory: URL(filePath: directory)), workers: WorkerRegistry())
    }

    /// Whether the item would run alone, as one that may have killed its process.
    private func isSuspect(_ id: String, in directory: String) async throws -> Bool {
        let onlooker = try scheduler(directory)
        try await onlooker.pause()
        try await onlooker.start()
        let reasons = try await onlooker.explain(id: id)?.reasons ?? []
        await onlooker.shutdown()
        // Not started, so it runs nothing.
        let next = try scheduler(directory)
        try await next.resume()
        await next.shutdown()
        return reasons.contains { if case .mustRunAlone = $0 { true } else { false } }
    }

    @Test("launches that enqueue a download or find it, and exit at once, do not give it up")
    func download() async throws {
        let place = try Workplace(serving: HostDeathTests.content)
        for _ in 0..<8 {
            #expect(await (try place.startHost(["--leave"])).nextChange() == .exited(0), "\(place.logs)")
        }
        #expect(place.events.allSatisfy { $0.outcome == "succeeded" }, "\(place.events)")
        #expect(await (try place.startHost()).nextChange() == .exited(0), "\(place.logs)")
        place.expectFinished(content: HostDeathTests.content)
    }

    @Test("an exit while work runs is not counted as a death, whoever calls it", arguments: ["exit", "worker"])
    func cleanExit(end: String) async throws {
        for _ in 0..<4 { #expect(try await run(end, in: [directory()]) == .exited(0)) }
        #expect(try await !isSuspect("w0", in: directory()))
        #expect(try await finish(directory()).map(\.outcome) == [.succeeded])
    }

    @Test(
        "an end without exit handlers counts: the work may have caused it",
        arguments: ["_exit", "quick_exit", "abort", "SIGTERM", "SIGKILL", "child"])
    func death(end: String) async throws {
        for _ in 0..<2 { #expect(try await run(end, in: [directory()]) != .exited(70)) }
        #expect(try await isSuspect("w0", in: directory()))
        try await run(end, in: [directory()])
        let history = try await finish(directory())
        #expect(history.map(\.outcome) == [.failed])
        #expect(history.first?.message?.contains("died 3 times") == true, "\(history)")
    }

    @Test("every scheduler of a process that exits is marked, in one directory or in several")
    func severalSchedulers() async throws {
        let directories = [directory("one"), directory("two"), directory("one")]
        for _ in 0..<3 { #expect(try await run("exit", in: directories) == .exited(0)) }
        for (id, directory) in [("w0", "one"), ("w1", "two"), ("w2", "one")] {
            #expect(try await !isSuspect(id, in: self.directory(directory)), "\(id)")
        }
        #expect(try await finish(directory("one")).map(\.outcome) == [.succeeded, .succeeded])
        #expect(try await finish(directory("two")).map(\.outcome) == [.succeeded])
    }

    @Test("once a process exits it starts nothing more, and takes what is enqueued")
    func nothingStarts() async throws {
        #expect(try await run("enqueue", in: [directory()]) == .exited(0))
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        #expect(lines == ["runs w0", "late is pending"])
        #expect(try await finish(directory()).map(\.outcome) == [.succeeded, .succeeded])
    }

    @Test("an exit after a shutdown writes to no file that was opened since")
    func afterShutdown() async throws {
        #expect(try await run("shutdown", in: [directory("one"), directory("two")]) == .exited(0))
        for number in 0..<200 {
            #expect(FileManager.default.contents(atPath: "\(log).\(number)") == Data("intact".utf8))
        }
    }

    @Test("another process takes the work of one that exits back at once, and counts no death")
    func peer() async throws {
        let isOver = Latch()
        var workers = WorkerRegistry()
        try workers.register("Busy") { _, _ in
            await isOver.wait()
            return .success()
        }
        var configuration = WorkScheduler.Configuration(directory: URL(filePath: directory()))
        configuration.maximumConcurrentWork = 1
        let peer = try WorkScheduler(configuration: configuration, workers: workers)
        try await peer.start()
        try await peer.enqueue(TaskRequest(workerClassName: "Busy"), id: "busy")
        for _ in 0..<3 {
            try await run("exit", in: [directory()])
            #expect(try await comesTrue { try await peer.info(id: "w0")?.state == .pending })
        }
        let reasons = try await peer.explain(id: "w0")?.reasons ?? []
        #expect(!reasons.contains { if case .mustRunAlone = $0 { true } else { false } }, "\(reasons)")
        try await peer.cancel(id: "w0")
        isOver.open()
        await peer.shutdown()
    }

    @Test("work that must not run twice fails when its process exits after the worker was called, and says so")
    func onceCalled() async throws {
        #expect(try await run("exit", worker: "Once", in: [directory()]) == .exited(0))
        let history = try await finish(directory())
        #expect(history.map(\.outcome) == [.failed])
        let message = history.first?.message ?? ""
        #expect(message.contains("exited while this ran") && message.contains("not idempotent"), "\(message)")
    }

    @Test(
        "work that must not run twice runs again when its process ended before the worker was called",
        arguments: ["exit", "SIGKILL"])
    func onceNotCalled(end: String) async throws {
        for _ in 0..<2 { try await run(end, worker: "SlowToDecode", in: [directory()]) }
        #expect(try await isSuspect("w0", in: directory()) == (end == "SIGKILL"))
        #expect(try await finish(directory()).map(\.outcome) == [.succeeded])
    }
}
