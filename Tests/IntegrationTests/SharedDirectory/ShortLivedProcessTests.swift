import BackgroundWork
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// Processes that enqueue and end at once, as a command line tool does.
@Suite(.serialized, .fewAtATime, .timeLimit(.minutes(5)))
struct ShortLivedProcessTests {
    private static let processes = 80
    /// How many live at a time.
    private static let width = 4
    private static let each = 3

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var directory: String { folder.path + "/scheduler" }
    private var accepted: [String] {
        ((try? String(contentsOfFile: folder.path + "/accepted.log", encoding: .utf8)) ?? "")
            .split(separator: "\n").map(String.init)
    }

    private func runProcess(_ number: Int, _ end: String) async throws {
        let process = try ChildProcess(
            Programs.host, ["short", directory, folder.path + "/accepted.log", "\(number)", "\(Self.each)", end],
            environment: ProcessInfo.processInfo.environment, log: folder.path + "/host.log")
        let change = await process.nextChange()
        let log = (try? String(contentsOfFile: folder.path + "/host.log", encoding: .utf8)) ?? ""
        #expect(change == .exited(0), "\(log.suffix(500))")
    }

    @Test(
        "work of processes that exit right after enqueueing is run, whether or not they shut down",
        arguments: ["shutdown", "exit"])
    func nothingIsLost(end: String) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<Self.width {
                group.addTask { try await self.runProcess(number, end) }
            }
            for number in Self.width..<Self.processes {
                try await group.next()
                group.addTask { try await self.runProcess(number, end) }
            }
            try await group.waitForAll()
        }
        let accepted = accepted
        #expect(accepted.count == Self.processes * Self.each)
        var workers = WorkerRegistry()
        try workers.register("Quick") { _, _ in .success() }
        let scheduler = try WorkScheduler(configuration: .init(directory: URL(filePath: directory)), workers: workers)
        try await scheduler.start()
        await scheduler.waitUntilIdle()
        let left = try await scheduler.infos(matching: WorkQuery(states: [.pending, .running]))
        #expect(left.isEmpty, "\(left.count) of \(accepted.count) never end: \(left.prefix(3).map(\.id))")
        let ended = try await scheduler.executionHistory(limit: 10_000).map(\.workID)
        #expect(Set(ended).isSuperset(of: accepted) || !left.isEmpty)
        #expect(ended.count == Set(ended).count, "a request has two events")
        await scheduler.shutdown()
    }
}
