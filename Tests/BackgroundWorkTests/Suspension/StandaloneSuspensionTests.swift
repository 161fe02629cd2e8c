import BackgroundWorkFiles
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

@testable import BackgroundWork

/// What a Downloader's process must not hold while it is suspended.
@Suite(.timeLimit(.minutes(5)))
struct StandaloneSuspensionTests {
    let folder: TemporaryFolder
    let service: ScriptedTransferService
    let activities = ScriptedSuspensions()

    init() throws {
        folder = try TemporaryFolder()
        service = try ScriptedTransferService()
    }

    private func downloader(isGuarded: Bool = true) throws -> Downloader {
        var configuration = Downloader.Configuration(directory: URL(filePath: folder.path + "/downloads"))
        configuration.transferService = service
        configuration.securityPolicy = .unrestricted
        if isGuarded {
            configuration.expiringActivities = activities
            configuration.releasesLocksWhenSuspended = true
        }
        return try Downloader(configuration: configuration)
    }

    private func isLocked() throws -> Bool {
        try AdvisoryLock(path: folder.path + "/downloads/direct.lock", contention: .giveUp) == nil
    }

    @Test("a Downloader holds no lock, and its directory is its own all the same, as long as it is there")
    func noLock() async throws {
        var first: Downloader? = try downloader()
        #expect(try !isLocked())
        #expect(throws: ConfigurationError.self) { try downloader() }
        #expect(throws: ConfigurationError.self) { try downloader(isGuarded: false) }
        await first?.shutdown()
        first = nil
        let second = try downloader(isGuarded: false)
        #expect(try isLocked())
        #expect(throws: ConfigurationError.self) { try downloader() }
        await second.shutdown()
    }

    @Test("a download that is asked for while the process may be suspended begins when it goes on")
    func waits() async throws {
        let downloader = try downloader()
        await activities.expire()
        let file = URL(filePath: folder.path + "/film")
        async let response = downloader.networkResponse(
            from: DownloadConfiguration(url: "https://example.com/film", savePath: file.path), with: "film")
        await activities.requests.wait { $0.suffix(1) == [false] }
        #expect(service.transfers.isEmpty)
        activities.setGranting(true)
        activities.setBackground(false)
        await service.wait { $0.first?.isStarted == true }
        try service.end(workID: "film", with: .downloaded(Array("film".utf8)))
        let end = await response
        guard case .success = end else {
            Issue.record("\(end)")
            return
        }
        await downloader.shutdown()
    }
}
