@testable import BackgroundWork
import BackgroundWorkTesting
import BackgroundWorkTransfers
import Foundation
import TestSupport

/// A scheduler on a folder of its own with a daemon that does what the test says.
struct SessionStage {
    let fixture: SchedulerFixture
    let daemon: ScriptedTransferService

    init() throws {
        fixture = try SchedulerFixture()
        daemon = try ScriptedTransferService()
    }

    func open(_ configure: (inout WorkScheduler.Configuration) -> Void = { _ in }) throws -> WorkScheduler {
        try fixture.open {
            $0.scriptedTransfers = daemon
            configure(&$0)
        }
    }

    func start(_ configure: (inout WorkScheduler.Configuration) -> Void = { _ in }) async throws -> WorkScheduler {
        let scheduler = try open(configure)
        try await scheduler.start()
        return scheduler
    }

    func path(_ id: String) -> String { fixture.folder.path + "/files/\(id)" }

    func download(_ id: String, session: String? = nil) -> DownloadConfiguration {
        var download = DownloadConfiguration(url: "https://user:secret@example.com/\(id)?token=x", savePath: path(id))
        download.sessionIdentifier = session
        return download
    }

    /// Hands a download off, and returns when the daemon has it and the store knows.
    ///
    /// - Parameter url: without secrets, for work that is retried after its end.
    func handOff(
        _ id: String, session: String? = nil, url: String? = nil, on scheduler: WorkScheduler
    ) async throws {
        var configuration = download(id, session: session)
        if let url { configuration.url = url }
        try await scheduler.backgroundSessions.enqueueDownload(
            configuration: configuration, id: id, retryPolicy: .never)
        await daemon.untilStarted(workID: id)
        for await info in scheduler.updates(id: id) where info.state == .handedOff { break }
    }

    /// The entries of the state file, as work ids.
    func entries(of scheduler: WorkScheduler) async throws -> [String] {
        try await scheduler.stateStore.loadEntries().compactMap { $0.reference?.key.workID }.sorted()
    }
}
