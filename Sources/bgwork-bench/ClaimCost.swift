import BackgroundWorkModel
import BackgroundWorkStorage
import Foundation
import Synchronization

/// What the claim of one due item costs, commit included, on two queues in turns.
struct ClaimCost {
    var title: String
    var small: ScaleQueue
    var large: ScaleQueue
    var samples = 200

    func measure() async throws -> ScaleRow {
        let queues = try [small, large].map { try Queue($0) }
        var times: [[Double]] = [[], []]
        for _ in 0..<samples {
            for (index, queue) in queues.enumerated() { times[index].append(try await queue.claim()) }
        }
        return .ratio(title, small: times[0].median, large: times[1].median, limit: 2)
    }

    /// A store with a scheduler behind it that takes work only when it is asked to.
    private final class Queue: WorkClaimer {
        private struct State {
            var offer: ClaimRules?
            var claimed: [ClaimedWork] = []
        }

        private let store: WorkStore
        private let state = Mutex(State())

        init(_ queue: ScaleQueue) throws {
            let feed = Feed()
            store = try WorkStore(
                path: queue.directory.path + "/work.sqlite",
                settings: StoreSettings(
                    retainedEvents: 10_000, triggers: TriggerRules(zones: NoZones()), mayLeaveTransfers: { _ in false }),
                now: Date(), committed: feed.pass)
            feed.connect { [weak self] summary in self?.state.withLock { $0.claimed += summary.claimed } }
            store.connect(self)
        }

        func runIsStored(_ result: RunResult, _ error: (any Error)?) {}

        func claimRules() -> ClaimRules? { state.withLock { $0.offer } }

        func claim() async throws -> Double {
            let now = WallTime(Date())
            let item = try store.item(ScaleQueue.request, .oneTime(), id: "due", now: now)
            _ = try await store.enqueue(item, .keep, now: now)
            // No condition of the device holds.
            state.withLock { $0.offer = ClaimRules(limit: 16, owner: 1, now: now, device: DeviceState(satisfied: [])) }
            let time = try await milliseconds {
                try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                    store.requestClaim { error in
                        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
                    }
                }
            }
            let claimed = state.withLock { state in
                state.offer = nil
                defer { state.claimed = [] }
                return state.claimed
            }
            guard claimed.map(\.record.id) == ["due"] else {
                throw CommandLineTool.Failed(
                    description: "the claim took \(claimed.map(\.record.id)) instead of one item")
            }
            let key = claimed[0].record.transferKey
            _ = try await store.write { try $0.apply(.workerFinished(.succeeded), to: key, now: now) }
            return time
        }
    }

    private final class Feed: Sendable {
        private struct Receiver { var receive: @Sendable (CommitSummary) -> Void = { _ in } }
        private let receiver = Mutex(Receiver())
        func connect(_ receive: @escaping @Sendable (CommitSummary) -> Void) {
            receiver.withLock { $0 = Receiver(receive: receive) }
        }
        @Sendable func pass(_ summary: CommitSummary) { receiver.withLock { $0 }.receive(summary) }
    }

    private struct NoZones: TimeZones {
        func zone(named name: String) -> (any UTCOffsets)? { nil }
    }
}
