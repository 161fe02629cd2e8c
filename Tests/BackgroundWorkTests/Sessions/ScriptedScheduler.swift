import BackgroundWork
import BackgroundWorkTesting
import Foundation

/// A scheduler beside a scripted daemon, in real time.
struct ScriptedScheduler {
    let fixture: SchedulerFixture
    let daemon: ScriptedTransferService
    let scheduler: WorkScheduler

    /// - Parameter predecessor: whose folder and daemon to go on with, as after a restart.
    init(
        after predecessor: ScriptedScheduler? = nil,
        configure: @Sendable (inout WorkScheduler.Configuration) -> Void = { _ in }
    ) async throws {
        let daemon = try predecessor?.daemon ?? ScriptedTransferService()
        fixture = try predecessor?.fixture ?? SchedulerFixture()
        self.daemon = daemon
        scheduler = try fixture.open {
            $0.scriptedTransfers = daemon
            configure(&$0)
        }
        try await scheduler.start()
    }

    /// Hands a download off, and returns when the daemon has it.
    func begin(_ id: String, group: String? = nil, retryPolicy: RetryPolicy = .never) async throws {
        var download = DownloadConfiguration(url: "https://example.com/\(id)", savePath: path(id))
        download.options.group = group
        try await scheduler.backgroundSessions.enqueueDownload(
            configuration: download, id: id, retryPolicy: retryPolicy)
        await daemon.untilStarted(workID: id)
    }

    func path(_ id: String) -> String { "\(fixture.folder.path)/downloads/\(id).bin" }

    /// Ends a transfer well, and returns when its work has finished.
    func finish(_ id: String, bytes: Int) async throws {
        try daemon.end(workID: id, with: .downloaded([UInt8](repeating: 7, count: bytes)))
        for await info in scheduler.updates(id: id) where info.state.isFinished { break }
    }

    func fail(_ id: String) async throws {
        try daemon.end(workID: id, with: .failed(message: "gone"))
        for await info in scheduler.updates(id: id) where info.state.isFinished { break }
    }
}
