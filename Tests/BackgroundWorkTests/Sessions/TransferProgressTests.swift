import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

@testable import BackgroundWork

/// Progress of transfers as events, as values and as text.
struct TransferProgressTests {
    let stage: SessionStage

    init() throws { stage = try SessionStage() }

    @Test("a report of the daemon becomes an event with fraction, text and details, and is not stored")
    func event() async throws {
        let scheduler = try await stage.start()
        try await stage.handOff("film", on: scheduler)
        let stream = scheduler.eventBus.progress
        try stage.daemon.report(workID: "film", bytes: 12_345_678, of: 50_000_000, bytesPerSecond: 3_100_000)
        var found: TaskProgressEvent?
        for await event in stream where event.progress.message?.hasPrefix("12.3") == true {
            found = event
            break
        }
        let event = try #require(found)
        #expect(event.workID == "film")
        #expect(event.taskName == "BackgroundDownloadWorker")
        #expect(event.progress.fraction == 12_345_678.0 / 50_000_000)
        #expect(event.progress.message == "12.3 of 50.0 MB, 3.1 MB/s, 13 s left")
        let detail = try #require(event.progress.detailJSON)
        let members = try #require(try JSONSerialization.jsonObject(with: Data(detail.utf8)) as? [String: Any])
        #expect(members["bytes"] as? Int == 12_345_678)
        #expect(members["totalBytes"] as? Int == 50_000_000)
        #expect(members["bytesPerSecond"] as? Int == 3_100_000)
        let stored = try await scheduler.store.read { try $0.record(id: "film") }
        #expect(stored != nil && stored?.progress == nil)
        await scheduler.shutdown()
    }

    @Test("the details have their members in order, without those that are not known")
    func details() {
        var progress = TransferProgress(
            workID: "film", sessionIdentifier: "a/\"b\"", taskIdentifier: 7, phase: .running, bytes: 5, totalBytes: 9,
            bytesPerSecond: 2)
        #expect(
            WorkerProgress(progress).detailJSON
                == #"{"bytes":5,"bytesPerSecond":2,"isPaused":false,"isUpload":false,"#
                + #""sessionIdentifier":"a/\"b\"","taskIdentifier":7,"totalBytes":9}"#)
        (progress.phase, progress.totalBytes, progress.bytesPerSecond) = (.paused, nil, nil)
        #expect(
            WorkerProgress(progress).detailJSON
                == #"{"bytes":5,"isPaused":true,"isUpload":false,"sessionIdentifier":"a/\"b\"","taskIdentifier":7}"#)
    }

    @Test("a new subscriber gets the known state at once, until the transfer has ended")
    func newest() async throws {
        let scheduler = try await stage.start()
        try await stage.handOff("film", on: scheduler)
        let early = scheduler.backgroundSessions.progress
        try stage.daemon.report(workID: "film", bytes: 1, of: 4)
        try stage.daemon.report(workID: "film", bytes: 2, of: 4)
        for await progress in early where progress.bytes == 2 { break }
        var late = scheduler.backgroundSessions.progress.makeAsyncIterator()
        let first = await late.next()
        #expect(first?.bytes == 2)
        #expect(first?.workID == "film")
        try stage.daemon.end(workID: "film", with: .downloaded([1, 2, 3, 4]))
        var end = await late.next()
        while let progress = end, progress.phase != .succeeded { end = await late.next() }
        #expect(end?.phase == .succeeded)
        for await info in scheduler.updates(id: "film") where info.state.isFinished { break }
        let after = scheduler.backgroundSessions.progress
        await scheduler.shutdown()
        var rest: [TransferProgress] = []
        for await progress in after { rest.append(progress) }
        #expect(rest == [])
    }

    @Test("the next process has the progress with its connection")
    func reconnect() async throws {
        let first = try await stage.start()
        try await stage.handOff("film", on: first)
        try stage.daemon.report(workID: "film", bytes: 2, of: 4)
        await first.shutdown()
        let second = try await stage.start()
        var stream = second.backgroundSessions.progress.makeAsyncIterator()
        #expect(await stream.next()?.bytes == 2)
        await second.shutdown()
    }

    @Test(
        "the words say how far it is",
        arguments: [
            (TransferPhase.running, 0, nil, nil, "0 B"),
            (.running, 999, 1000, 2, "0.9 of 1.0 kB, 2 B/s, 1 s left"),
            (.running, 1_500_000, nil, 1_000, "1.5 MB, 1.0 kB/s"),
            (.running, 1_000_000_000, 5_000_000_000, 1_000_000, "1.0 of 5.0 GB, 1.0 MB/s, 67 min left"),
            (.running, 0, 0, nil, "0 of 0 B"),
            (.paused, 12_345_678, 50_000_000, nil, "paused at 12.3 of 50.0 MB"),
            (.waiting(.unmeteredNetwork), 0, nil, nil, "waiting for an unmetered network"),
            (.waiting(.nextTry), 10, 20, nil, "waiting for the next attempt, at 10 of 20 B"),
            (.succeeded, 1_000, 1_000, nil, "done, 1.0 kB"),
            (.failed(message: "no"), 1, 2, nil, "no"),
        ] as [(TransferPhase, Int64, Int64?, Int64?, String)])
    func words(_ phase: TransferPhase, _ bytes: Int64, _ total: Int64?, _ rate: Int64?, _ expected: String) {
        let progress = TransferProgress(
            workID: "w", sessionIdentifier: "s", taskIdentifier: 1, phase: phase, bytes: bytes, totalBytes: total,
            bytesPerSecond: rate)
        #expect(TransferProgressText.message(progress) == expected)
    }
}
