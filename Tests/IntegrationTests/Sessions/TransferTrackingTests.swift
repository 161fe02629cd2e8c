import BackgroundWork
import BackgroundWorkTesting
import Foundation
import Observation
import Testing

/// Groups and trackers beside the real agent.
@Suite(.serialized, .fewAtATime)
struct TransferTrackingTests {
    static let content = [UInt8](repeating: 5, count: 1_000_000)
    static let held: Int64 = 600_000

    private func begin(_ names: [String], on scheduler: WorkScheduler, in place: Workplace) async throws {
        for name in names {
            place.server.serve(.bytes(Self.content), at: "/\(name)")
            place.server.setBehaviour(.holdAfter(bytes: Self.held), for: "/\(name)")
            var download = DownloadConfiguration(
                url: place.server.url("/\(name)"), savePath: place.folder.path + "/films/\(name).bin")
            download.options.group = "films"
            download.connections = .fixed(1)
            try await scheduler.backgroundSessions.enqueueDownload(configuration: download, id: name)
        }
    }

    @Test("a group continues over the host's restart, and one that is added then belongs to it")
    func group() async throws {
        let place = try Workplace()
        let first = try place.scheduler()
        try await first.start()
        try await begin(["a", "b"], on: first, in: place)
        let half = await first.backgroundSessions.group("films").progress.first { $0.totals.bytes == 2 * Self.held }
        #expect(half?.totals.totalBytes == 2 * Int64(Self.content.count))
        #expect(half?.totals.fraction == 0.6)
        await first.shutdown()
        let second = try place.scheduler()
        try await second.start()
        try await begin(["c"], on: second, in: place)
        let group = second.backgroundSessions.group("films")
        let more = await group.progress.first { $0.totals.bytes == 3 * Self.held }
        #expect(more?.files == 3)
        async let waiting = group.outcome()
        for name in ["a", "b", "c"] { place.server.release("/\(name)") }
        let outcome = try await waiting
        #expect(outcome.succeeded.map(\.workID) == ["a", "b", "c"])
        let end = try await group.state()
        #expect(end.isFinished)
        #expect(end.totals.bytes == 3 * Int64(Self.content.count))
        #expect(place.server.requests.count == 3)
        await second.shutdown()
    }

    @MainActor @Test("a tracker shows a transfer of the agent until its file is in place")
    func tracker() async throws {
        let place = try Workplace()
        let scheduler = try place.scheduler()
        try await scheduler.start()
        let tracker = TransferTracker(scheduler, group: "films")
        try await begin(["a"], on: scheduler, in: place)
        await changes(of: tracker) { $0.transfers.first?.bytes == Self.held }
        #expect(tracker.transfers.map(\.fileName) == ["a.bin"])
        #expect(tracker.transfers.map(\.phase) == [.running])
        #expect(tracker.totals.fraction == 0.6)
        place.server.release("/a")
        await changes(of: tracker) { $0.unfinished == 0 }
        #expect(tracker.transfers.map(\.phase) == [.succeeded])
        #expect(place.hasSaved(Self.content, at: place.folder.path + "/films/a.bin"))
        await scheduler.shutdown()
    }

    @MainActor
    private func changes(of tracker: TransferTracker, until isWanted: (TransferTracker) -> Bool) async {
        while !isWanted(tracker) {
            await withCheckedContinuation { continuation in
                withObservationTracking {
                    _ = tracker.transfers
                } onChange: {
                    continuation.resume()
                }
            }
        }
    }
}
