import BackgroundWork
import BackgroundWorkSystem
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// A scheduler whose volume is full for a while.
@Suite(.fewAtATime, .timeLimit(.minutes(5)), .enabled(if: getuid() == 0, "mounts a volume"))
struct FullDiskTests {
    private let volume: FullVolume

    init() throws { volume = try FullVolume() }

    private func scheduler(
        workers: [String: @Sendable (WorkerContext) async throws -> WorkerResult] = [:],
        configure: (inout WorkScheduler.Configuration) throws -> Void = { _ in }
    ) throws -> WorkScheduler {
        var registry = WorkerRegistry()
        for (name, run) in workers { try registry.register(name) { _, context in try await run(context) } }
        var configuration = WorkScheduler.Configuration(directory: URL(filePath: volume.directory))
        try configure(&configuration)
        return try WorkScheduler(configuration: configuration, workers: registry)
    }

    /// Runs what is there in another scheduler, and expects one end of `id`.
    private func expectOneEnd(of id: String, workers: [String: @Sendable (WorkerContext) async throws -> WorkerResult])
        async throws
    {
        let next = try scheduler(workers: workers)
        try await next.start()
        await next.waitUntilIdle()
        #expect(try await next.info(id: id)?.state == .succeeded)
        #expect(try await next.executionHistory().map(\.workID) == [id])
        await next.shutdown()
    }

    @Test("a result that does not fit on the disk before the shutdown is not the end of its request")
    func result() async throws {
        let failed = Latch()
        let filled = Latch()
        let begun = Latch()
        let large = "\"" + String(repeating: "x", count: 400_000) + "\""
        let first = try scheduler(workers: [
            "Large": { _ in
                begun.open()
                await filled.wait()
                return .success(outputJSON: large)
            }
        ]) {
            $0.noticeHandler = { if $0.kind == .storageFailure { failed.open() } }
        }
        try await first.start()
        try await first.enqueue(TaskRequest(workerClassName: "Large"), id: "large")
        await begun.wait()
        // What is small still fits.
        try volume.fill(leaving: 200)
        filled.open()
        await failed.wait()
        await first.shutdown(gracePeriod: .milliseconds(500))
        volume.empty()
        try await expectOneEnd(of: "large", workers: ["Large": { _ in .success() }])
    }

    @Test("a run that could not be put back at the shutdown, because the disk was full, is resumed by the next launch")
    func putBack() async throws {
        let begun = Latch()
        let end = Latch()
        let volume = volume
        let first = try scheduler(workers: [
            "Stubborn": { _ in
                begun.open()
                await end.wait()
                return .success()
            }
        ]) {
            // The disk has room again as soon as anything has failed.
            $0.noticeHandler = { if $0.kind == .storageFailure { volume.empty() } }
        }
        try await first.start()
        try await first.enqueue(TaskRequest(workerClassName: "Stubborn"), id: "stubborn")
        await begun.wait()
        try volume.fill()
        await first.shutdown(gracePeriod: .milliseconds(100))
        volume.empty()
        try await expectOneEnd(of: "stubborn", workers: ["Stubborn": { _ in .success() }])
        end.open()
    }

    @Test("a start that failed can be tried again")
    func start() async throws {
        let first = try scheduler(workers: ["Quick": { _ in .success() }])
        try await first.enqueue(TaskRequest(workerClassName: "Quick"), id: "quick")
        try volume.fill()
        await #expect(throws: (any Error).self) { try await first.start() }
        volume.empty()
        try await first.start()
        #expect(
            try await comesTrue { try await first.info(id: "quick")?.state == .succeeded },
            "it says that it was started, and runs nothing")
        await first.shutdown()
    }

    @Test("an outcome that cannot be stored for half an hour is processed when it can, without another connection")
    func outcome() async throws {
        let clock = QuickClock(factor: 600)
        let daemon = try ScriptedTransferService()
        let first = try scheduler {
            $0.clock = clock
            $0.scriptedTransfers = daemon
        }
        try await first.start()
        let savePath = volume.folder.path + "/downloads/file.bin"
        let download = DownloadConfiguration(url: "https://example.com/file", savePath: savePath)
        try await first.backgroundSessions.enqueueDownload(configuration: download, id: "d", retryPolicy: .never)
        await daemon.untilStarted(workID: "d")
        #expect(try await comesTrue { try await first.info(id: "d")?.state == .handedOff })
        try volume.fill()
        try daemon.end(workID: "d", with: .downloaded([1, 2, 3]))
        let deadline = clock.now.addingTimeInterval(1800)
        #expect(try await comesTrue(within: .seconds(30)) { clock.now > deadline })
        #expect(try await first.info(id: "d")?.state == .handedOff)
        volume.empty()
        #expect(try await comesTrue { try await first.info(id: "d")?.state == .succeeded }, "the outcome was dropped")
        await first.shutdown()
    }
}
