import BackgroundWork
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// A process that dies with work in its hands whose worker has not been called.
@Suite(.serialized, .fewAtATime, .timeLimit(.minutes(5)))
struct DeathBeforeBeginTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var directory: URL { URL(filePath: folder.path + "/scheduler") }
    private var begun: [String] {
        ((try? String(contentsOfFile: folder.path + "/begun.log", encoding: .utf8)) ?? "").split(separator: "\n")
            .map { String($0.dropFirst("blocks ".count)) }
    }

    /// Sixteen requests for sixteen slots, whose workers block the thread that they are called on: only as many begin as
    /// there are threads. The process is killed then, so many times.
    private func die(times: Int, isIdempotent: Bool) async throws {
        let onlooker = try WorkScheduler(configuration: .init(directory: directory), workers: WorkerRegistry())
        let block = TaskRequest(workerClassName: "Block", isIdempotent: isIdempotent)
        try await onlooker.enqueue(contentsOf: (0..<16).map { TaskSubmission(block, id: "w\($0)") })
        let threads = min(16, ProcessInfo.processInfo.activeProcessorCount)
        for _ in 0..<times {
            let before = begun.count
            let host = try ChildProcess(
                Programs.host, ["terminable", directory.path, folder.path + "/begun.log", "1000"],
                environment: ProcessInfo.processInfo.environment, log: folder.path + "/host.log")
            #expect(try await comesTrue(within: .seconds(20)) { begun.count >= before + threads })
            await host.killAndWait()
        }
        await onlooker.shutdown()
    }

    private func scheduler() throws -> WorkScheduler {
        var workers = WorkerRegistry()
        try workers.register("Block") { _, _ in .success() }
        return try WorkScheduler(configuration: .init(directory: directory), workers: workers)
    }

    @Test(
        "only what had begun is suspected of the deaths of its process",
        .enabled(if: ProcessInfo.processInfo.activeProcessorCount < 8))
    func suspects() async throws {
        try await die(times: 2, isIdempotent: true)
        // The next process checks, and runs nothing.
        let next = try scheduler()
        try await next.pause()
        try await next.start()
        let begun = Set(begun)
        var suspects: Set<String> = []
        for id in (0..<16).map({ "w\($0)" }) where !begun.contains(id) {
            let reasons = try await next.explain(id: id)?.reasons ?? []
            if reasons.contains(where: { if case .mustRunAlone = $0 { true } else { false } }) { suspects.insert(id) }
        }
        #expect(suspects.isEmpty, "\(suspects.count) must run alone whose worker was never called")
        await next.shutdown()
    }

    @Test(
        "a request that is not idempotent runs after a death if it had not begun",
        .enabled(if: ProcessInfo.processInfo.activeProcessorCount < 8))
    func notIdempotent() async throws {
        try await die(times: 1, isIdempotent: false)
        let next = try scheduler()
        try await next.start()
        await next.waitUntilIdle()
        let begun = Set(begun)
        var wrong: [String] = []
        for id in (0..<16).map({ "w\($0)" }) {
            let state = try await next.info(id: id)?.state
            if state != (begun.contains(id) ? .failed : .succeeded) {
                wrong.append("\(id) \(state.map { "\($0)" } ?? "gone")")
            }
        }
        #expect(wrong.isEmpty, "begun were only \(begun.sorted())")
        await next.shutdown()
    }
}
