import BackgroundWork
import Foundation
import TestSupport
import Testing

/// Requests that must not run twice, in two processes on one directory.
@Suite(.serialized, .fewAtATime, .timeLimit(.minutes(5)))
struct SharedNonIdempotentRunTests {
    private static let each = 500

    @Test("under the traffic of two processes each request runs once, and none is stopped")
    func twoProcesses() async throws {
        let folder = try TemporaryFolder()
        let (directory, log) = (folder.path + "/scheduler", folder.path + "/runs.log")
        let onlooker = try WorkScheduler(
            configuration: .init(directory: URL(filePath: directory)), workers: WorkerRegistry())
        let hosts = try ["a", "b"].map { name in
            try ChildProcess(
                Programs.host, ["once", directory, log, name, "\(Self.each)"],
                environment: ProcessInfo.processInfo.environment, log: folder.path + "/host.log")
        }
        let total = 2 * Self.each
        let isDone = try await comesTrue(within: .seconds(30)) {
            try await onlooker.executionHistory(limit: 2 * total).count >= total
        }
        #expect(isDone)
        for host in hosts { await host.killAndWait() }
        let history = try await onlooker.executionHistory(limit: 2 * total)
        #expect(history.allSatisfy { $0.outcome == .succeeded }, "\(history.filter { $0.outcome != .succeeded })")
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
        let begun = lines.filter { $0.hasPrefix("begin ") }
        let stopped = lines.filter { $0.hasPrefix("stop ") }
        #expect(stopped.isEmpty, "nobody has asked for a stop")
        #expect(begun.count == Set(begun).count, "\(begun.count - Set(begun).count) ran twice")
        #expect(Set(begun).count == total)
        await onlooker.shutdown()
    }
}
