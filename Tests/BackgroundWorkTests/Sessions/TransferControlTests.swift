import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

@testable import BackgroundWork

/// Pausing, resuming, cancelling and looking at transfers.
struct TransferControlTests {
    let stage: SessionStage

    init() throws { stage = try SessionStage() }

    private var isPaused: Bool? { stage.daemon.transfers.last?.isPaused }

    @Test("a transfer in progress is paused and resumed, and reports it each time")
    func underWay() async throws {
        let scheduler = try await stage.start()
        let sessions = scheduler.backgroundSessions
        try await stage.handOff("film", on: scheduler)
        #expect(try await sessions.resume(id: "film") == .notPaused)
        #expect(try await sessions.pause(id: "film") == .paused)
        #expect(try await sessions.pause(id: "film") == .paused)
        #expect(isPaused == true)
        #expect(try await sessions.transfers().map(\.phase) == [.paused])
        #expect(try await sessions.resume(id: "film") == .resumed)
        #expect(isPaused == false)
        try stage.daemon.end(workID: "film", with: .downloaded([1]))
        for await info in scheduler.updates(id: "film") where info.state.isFinished { break }
        #expect(try await sessions.pause(id: "film") == .alreadyFinished)
        #expect(try await sessions.resume(id: "film") == .alreadyFinished)
        await scheduler.shutdown()
    }

    @Test("work that is paused before its hand-off is handed off, and its transfer is paused from the beginning")
    func beforeHandOff() async throws {
        let scheduler = try await stage.start()
        let sessions = scheduler.backgroundSessions
        try await scheduler.pause(queue: "later")
        try await sessions.enqueueDownload(configuration: stage.download("film"), id: "film", queue: "later")
        #expect(try await sessions.pause(id: "film") == .beforeHandOff)
        try await scheduler.resume(queue: "later")
        for await info in scheduler.updates(id: "film") where info.state == .handedOff { break }
        #expect(isPaused == true)
        #expect(try await sessions.resume(id: "film") == .resumed)
        #expect(isPaused == false)
        await scheduler.shutdown()
    }

    @Test("a pause that is undone before the hand-off has no effect")
    func takenBack() async throws {
        let scheduler = try await stage.start()
        let sessions = scheduler.backgroundSessions
        try await scheduler.pause(queue: "later")
        try await sessions.enqueueDownload(configuration: stage.download("film"), id: "film", queue: "later")
        #expect(try await sessions.pause(id: "film") == .beforeHandOff)
        #expect(try await sessions.resume(id: "film") == .beforeHandOff)
        #expect(try await sessions.resume(id: "film") == .notPaused)
        try await scheduler.resume(queue: "later")
        for await info in scheduler.updates(id: "film") where info.state == .handedOff { break }
        #expect(isPaused == false)
        await scheduler.shutdown()
    }

    @Test("a pause that cannot reach the daemon is sent at the next connection, and so is a resumption")
    func unreachable() async throws {
        let scheduler = try await stage.start()
        let sessions = scheduler.backgroundSessions
        try await stage.handOff("film", on: scheduler)
        stage.daemon.loseConnection()
        let answer = try await sessions.pause(id: "film")
        #expect(answer == .whenReachable(reason: ScriptedTransferError.unreachable.description))
        await stage.daemon.restoreConnection()
        await stage.daemon.wait { $0.first?.isPaused == true }
        #expect(sessions.reconciliations.last?.pausesRenewed.map(\.workID) == ["film"])
        stage.daemon.loseConnection()
        _ = try await sessions.resume(id: "film")
        await stage.daemon.restoreConnection()
        await stage.daemon.wait { $0.first?.isPaused == false }
        await scheduler.shutdown()
    }

    @Test("a pause applies to the generation after a lost journal as well, and ends with a manual retry")
    func generations() async throws {
        let scheduler = try await stage.start()
        let sessions = scheduler.backgroundSessions
        try await stage.handOff("film", url: "https://example.com/film?id=5", on: scheduler)
        try await sessions.pause(id: "film")
        stage.daemon.loseConnection()
        stage.daemon.loseJournal()
        await stage.daemon.restoreConnection()
        await stage.daemon.wait { $0.first?.isStarted == true && $0.first?.isPaused == true }
        #expect(sessions.reconciliations.last?.submittedAgain.map(\.workID) == ["film"])
        for await info in scheduler.updates(id: "film") where info.state == .handedOff { break }
        #expect(try await sessions.cancel(id: "film") == .cancelled(items: 1))
        await stage.daemon.wait { $0.isEmpty }
        #expect(try await scheduler.retry(id: "film") == .retried(items: 1))
        await stage.daemon.untilStarted(workID: "film")
        #expect(isPaused == false)
        await scheduler.shutdown()
    }

    @Test("work without a transfer, and unknown work, is not paused")
    func others() async throws {
        let scheduler = try stage.open()
        try await scheduler.enqueue(TaskRequest(workerClassName: "Other"), id: "other")
        let sessions = scheduler.backgroundSessions
        #expect(try await sessions.pause(id: "other") == .notATransfer)
        #expect(try await sessions.resume(id: "other") == .notATransfer)
        #expect(try await sessions.pause(id: "none") == .unknown)
        #expect(try await sessions.resume(id: "none") == .unknown)
        #expect(try await sessions.cancel(id: "none") == .unknown)
        await scheduler.shutdown()
    }

    @Test("a transfer is shown with its work, and without secrets")
    func look() async throws {
        let scheduler = try await stage.start()
        var download = stage.download("film", session: "s")
        download.options.group = "films"
        download.options.priority = .high
        let sessions = scheduler.backgroundSessions
        #expect(
            try await sessions.enqueueDownload(configuration: download, id: "film", tags: ["mine"])
                == .accepted(id: "film"))
        await stage.daemon.untilStarted(workID: "film")
        try stage.daemon.report(workID: "film", bytes: 500, of: 1000, bytesPerSecond: 100)
        let info = try #require(try await sessions.transfers().first)
        #expect(info.workID == "film")
        #expect(info.url == "https://example.com/film")
        #expect(info.path == stage.path("film"))
        #expect(info.sessionIdentifier == "s")
        #expect(info.group == "films")
        #expect(info.fraction == 0.5)
        #expect(info.workerClassName == "BackgroundDownloadWorker")
        #expect(info.isAwaited)
        let work = try #require(try await scheduler.info(id: "film"))
        #expect(work.tags == ["mine", TransferGroup.tag(for: "films")])
        #expect(work.priority == .high)
        await scheduler.shutdown()
    }

    @Test("an upload is enqueued in the same way")
    func upload() async throws {
        let scheduler = try await stage.start()
        let path = stage.fixture.folder.path + "/photo"
        try Data([1, 2, 3]).write(to: URL(filePath: path))
        var upload = UploadConfiguration(url: "https://example.com/photos", filePath: path)
        upload.options.group = "photos"
        try await scheduler.backgroundSessions.enqueueUpload(configuration: upload, id: "photo")
        let transfer = await stage.daemon.untilStarted(workID: "photo")
        #expect(transfer?.isUpload == true)
        #expect(try await scheduler.info(id: "photo")?.tags == [TransferGroup.tag(for: "photos")])
        await scheduler.shutdown()
    }

    @Test("limits that allow nothing are rejected", arguments: ["overall", "perHost", "perSession", "bytesPerSecond"])
    func limits(_ name: String) throws {
        #expect(throws: ConfigurationError.notPositive(name: "transferLimits.\(name)", value: 0)) {
            try stage.open {
                switch name {
                case "overall": $0.transferLimits.overall = 0
                case "perHost": $0.transferLimits.perHost = 0
                case "perSession": $0.transferLimits.perSession = 0
                default: $0.transferLimits.bytesPerSecond = 0
                }
            }
        }
    }
}
