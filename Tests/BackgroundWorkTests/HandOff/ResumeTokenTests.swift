import BackgroundWorkModel
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

@testable import BackgroundWork

/// A download that failed, and its next attempt.
struct ResumeTokenTests {
    /// The tokens that the attempts of a download were handed off with; the first ends with a failure that has one.
    ///
    /// - Parameters:
    ///   - url: what the token is for.
    ///   - failures: how many attempts fail; only the first leaves a token.
    private func tokens(
        isResumable: Bool = true, of url: String = "https://example.com/film", failures: Int = 1
    ) async throws -> [String?] {
        let fixture = try SchedulerFixture()
        let seen = Recorder<String?>()
        let service = try FolderTransferService(folder: fixture.folder.path + "/daemon") { specification, outcome in
            if case .download(let job) = specification.job { seen.add(job.resumeToken) }
            let attempt = seen.values.count
            guard attempt <= failures else { return outcome }
            var failure = TransferFailure(kind: .network, message: "the connection broke off", isRetryable: true)
            if attempt == 1 { failure.resumeToken = ResumeToken("after \"half\" of it", of: url) }
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

    @Test("a token of another URL is not used, since the work may have been updated")
    func otherURL() async throws { #expect(try await tokens(of: "https://example.com/other") == [nil, nil]) }

    @Test("an attempt that leaves no token makes the one before it outdated")
    func outdated() async throws {
        #expect(try await tokens(failures: 2) == [nil, "after \"half\" of it", nil])
    }

    @Test("only a token is read as one")
    func texts() throws {
        let token = ResumeToken("half", of: "https://example.com/film")
        #expect(ResumeToken(json: try token.json) == token)
        #expect(ResumeToken(json: "{\"resumeToken\":\"half\"}") == nil)
        #expect(ResumeToken(json: "{\"page\":3}") == nil)
    }
}
