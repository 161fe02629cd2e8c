import BackgroundWork
import Foundation
import TestSupport
import Testing

/// A database that another program has locked.
@Suite(.fewAtATime, .timeLimit(.minutes(5)))
struct LockedStoreTests {
    @Test("all that waits for a locked database fails together, after one wait")
    func together() async throws {
        let folder = try TemporaryFolder()
        let scheduler = try WorkScheduler(
            configuration: .init(directory: URL(filePath: folder.path + "/scheduler")), workers: WorkerRegistry())
        try await scheduler.enqueue(TaskRequest(workerClassName: "W"), id: "before")
        let output = folder.path + "/holder.log"
        let holder = try ChildProcess(
            Programs.host, ["hold-lock", folder.path + "/scheduler/work.sqlite"],
            environment: ProcessInfo.processInfo.environment, log: output)
        #expect(try await comesTrue { (try? String(contentsOfFile: output, encoding: .utf8)) == "held\n" })
        // Whether each call that has been answered was stored.
        let ends = Recorder<Bool>()
        let calls = (0..<20).map { number in
            Task {
                do {
                    try await scheduler.enqueue(TaskRequest(workerClassName: "W"), id: "w\(number)")
                    ends.add(true)
                } catch {
                    ends.add(false)
                }
            }
        }
        // SQLite waits ten seconds. The first call may be alone in its transaction; all others come after it.
        let haveEnded = try await comesTrue(within: .seconds(28)) { ends.values.count == calls.count }
        #expect(haveEnded, "\(ends.values.count) of \(calls.count) have an answer")
        await holder.killAndWait()
        for call in calls { await call.value }
        #expect(!haveEnded || !ends.values.contains(true))
        // A caller that got a failure can try again.
        try await scheduler.enqueue(TaskRequest(workerClassName: "W"), id: "after")
        let stored = ends.values.filter { $0 }.count
        #expect(try await scheduler.infos(matching: WorkQuery(states: [.pending])).count == stored + 2)
        await scheduler.shutdown()
    }
}
