import BackgroundWorkModel
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

@testable import BackgroundWork

/// A download that failed, and its next attempt.
struct ResumeTokenTests {
    /// The tokens that the attempts of a download were handed off with; the first ends with a failure that has one.
    private func tokens(isResumable: Bool = true) async throws -> [String?] {
        let fixture = try SchedulerFixture()
        let seen = Recorder<String?>()
        let service = try FolderTransferService(folder: fixture.folder.path + "/daemon") { specification, outcome in
            if case .download(let job) = specification.job { seen.add(job.resumeToken) }
            guard seen.values.count == 1 else { return outcome }
            var failure = TransferFailure(kind: .network, message: "the connection broke off", isRetryable: true)
            failure.resumeToken = "after \"half\" of it"
            var failed = outcome
            failed.result = .failed(failure)
            return failed
        }
        let scheduler = try fixture.open { $0.transferService = service }
        let events = scheduler.eventBus.events
        try await scheduler.start()
        var download = DownloadConfiguration(
            url: "https://example.com/film", savePath: fixture.folder.path + "/film")
        download.isResumable = isResumable
        try await scheduler.backgroundSessions.enqueueDownload(
            configuration: download, id: "film",
            retryPolicy: .exponential(initialDelay: .zero, maximumDelay: .zero, maximumAttempts: 3))
        #expect(await SchedulerFixture.take(1, from: events).first?.outcome == .succeeded)
        await scheduler.shutdown()
        return seen.values
    }

    @Test("the next attempt continues where the one before has stopped")
    func nextAttempt() async throws { #expect(try await tokens() == [nil, "after \"half\" of it"]) }

    @Test("a download that is not to be continued begins anew")
    func notResumable() async throws { #expect(try await tokens(isResumable: false) == [nil, nil]) }
}
