import BackgroundWork
import BackgroundWorkTesting
import Foundation
import Observation
import TestSupport
import Testing

@MainActor @Suite("A tracker of transfers")
struct TransferTrackerTests {
    /// Returns when the tracker is as wanted, asked again at each of its changes; gives the number of changes.
    @discardableResult
    private func wait(for tracker: TransferTracker, until isWanted: (TransferTracker) -> Bool) async -> Int {
        var changes = 0
        while !isWanted(tracker) {
            await withCheckedContinuation { continuation in
                withObservationTracking {
                    _ = (tracker.transfers, tracker.totals, tracker.isFollowing)
                } onChange: {
                    continuation.resume()
                }
            }
            changes += 1
        }
        return changes
    }

    @Test("observers see a transfer come, move and end")
    func observed() async throws {
        let place = try await ScriptedScheduler()
        let tracker = TransferTracker(place.scheduler)
        #expect(tracker.transfers.isEmpty)
        try await place.begin("film", group: "films")
        try place.daemon.report(workID: "film", bytes: 250, of: 1000, bytesPerSecond: 50)
        await wait(for: tracker) { $0.transfers.first?.bytes == 250 }
        let moving = try #require(tracker.transfers.first)
        #expect((moving.id, moving.fileName, moving.group) == ("film", "film.bin", "films"))
        #expect(moving.phase == .running)
        #expect(moving.fraction == 0.25)
        #expect(moving.timeLeft == .seconds(15))
        #expect(tracker.totals.bytesPerSecond == 50)
        #expect(tracker.unfinished == 1)
        try await place.finish("film", bytes: 1000)
        await wait(for: tracker) { $0.transfers.first?.outcome != nil }
        #expect(tracker.transfers.map(\.phase) == [.succeeded])
        #expect(tracker.totals.fraction == 1)
        tracker.removeEnded()
        #expect(tracker.transfers.isEmpty)
        await place.scheduler.shutdown()
    }

    @Test("a pause and a cancellation show")
    func pausedAndCancelled() async throws {
        let place = try await ScriptedScheduler()
        let tracker = TransferTracker(place.scheduler)
        try await place.begin("a")
        try place.daemon.report(workID: "a", bytes: 5, of: 10, bytesPerSecond: 1)
        try await place.scheduler.backgroundSessions.pause(id: "a")
        await wait(for: tracker) { $0.transfers.first?.phase == .paused }
        #expect(tracker.totals.bytesPerSecond == nil)
        try await place.scheduler.cancel(id: "a")
        await wait(for: tracker) { $0.transfers.first?.outcome == .cancelled }
        #expect(tracker.totals.totalBytes == 0)
        await place.scheduler.shutdown()
    }

    @Test("a tracker created after a restart lists the daemon's transfers")
    func restarted() async throws {
        let first = try await ScriptedScheduler()
        try await first.begin("a")
        try first.daemon.report(workID: "a", bytes: 5, of: 10)
        await first.scheduler.shutdown()
        let second = try await ScriptedScheduler(after: first)
        let tracker = TransferTracker(second.scheduler)
        await wait(for: tracker) { !$0.transfers.isEmpty }
        #expect(tracker.transfers.map(\.fileName) == ["a.bin"])
        #expect(tracker.transfers.map(\.bytes) == [5])
        await second.scheduler.shutdown()
    }

    @Test("many reports are combined: at most one change each time that the clock fires")
    func coalesced() async throws {
        let clock = ManualClock()
        let place = try await ScriptedScheduler { $0.clock = clock }
        let tracker = TransferTracker(place.scheduler)
        let changes = Recorder<Int>()
        watch(tracker) { changes.add(1) }
        try await place.begin("a")
        var looks = 1
        func lookUntil(_ isWanted: () -> Bool) async {
            while !isWanted() {
                await clock.untilSleeping(atLeast: 1)
                clock.advance(by: .seconds(1))
                looks += 1
                await Task.yield()
            }
        }
        await lookUntil { !tracker.transfers.isEmpty }
        for bytes in 1...1000 { try place.daemon.report(workID: "a", bytes: Int64(bytes), of: 1000) }
        await lookUntil { tracker.transfers.first?.bytes == 1000 }
        #expect(changes.values.count <= looks)
        await place.scheduler.shutdown()
    }

    private func watch(_ tracker: TransferTracker, _ body: @escaping @Sendable () -> Void) {
        withObservationTracking {
            _ = tracker.transfers
        } onChange: { [weak tracker] in
            body()
            Task { @MainActor in if let tracker { self.watch(tracker, body) } }
        }
    }

    @Test("a stopped tracker keeps its list, and does not change any more")
    func stopped() async throws {
        let place = try await ScriptedScheduler()
        let tracker = TransferTracker(place.scheduler)
        try await place.begin("a")
        await wait(for: tracker) { !$0.transfers.isEmpty }
        let list = tracker.transfers
        tracker.stop()
        #expect(!tracker.isFollowing)
        try await place.finish("a", bytes: 3)
        #expect(tracker.transfers == list)
        await place.scheduler.shutdown()
        #expect(tracker.transfers == list)
    }

    @Test("a tracker shows the last state when the scheduler shuts down, and knows that no change follows")
    func shutDown() async throws {
        let place = try await ScriptedScheduler()
        let tracker = TransferTracker(place.scheduler)
        try await place.begin("a")
        try await place.finish("a", bytes: 3)
        await place.scheduler.shutdown()
        await wait(for: tracker) { !$0.isFollowing }
        #expect(tracker.transfers.map(\.outcome) == [.succeeded])
    }

    @Test("a released tracker is deallocated")
    func letGo() async throws {
        let place = try await ScriptedScheduler()
        weak var gone: TransferTracker?
        do {
            let tracker = TransferTracker(place.scheduler)
            gone = tracker
            try await place.begin("a")
            await wait(for: tracker) { !$0.transfers.isEmpty }
        }
        #expect(gone == nil)
        await place.scheduler.shutdown()
    }
}
