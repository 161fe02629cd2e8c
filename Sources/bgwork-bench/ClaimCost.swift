import BackgroundWorkModel
import BackgroundWorkStorage
import Foundation

/// What the claim of one due item costs, commit included, on two queues in turns.
struct ClaimCost {
    var title: String
    var small: ScaleQueue
    var large: ScaleQueue
    var samples = 200

    func measure() async throws -> ScaleRow {
        let stores = try [small, large].map { queue in
            try WorkStore(
                path: queue.directory.path + "/work.sqlite",
                settings: StoreSettings(retainedEvents: 10_000, triggers: TriggerRules(zones: NoZones())),
                now: Date(), committed: { _ in })
        }
        var times: [[Double]] = [[], []]
        for _ in 0..<samples {
            for (index, store) in stores.enumerated() { times[index].append(try await claim(from: store)) }
        }
        return .ratio(title, small: times[0].median, large: times[1].median, limit: 2)
    }

    private func claim(from store: WorkStore) async throws -> Double {
        let now = WallTime(Date())
        _ = try await store.write {
            try $0.enqueue(TaskSubmission(ScaleQueue.request, policy: .keep), id: "due", now: now)
        }
        // No condition of the device holds.
        let rules = ClaimRules(limit: 16, owner: 1, now: now, device: DeviceState(satisfied: []))
        var claimed: [ClaimedWork] = []
        let time = try await milliseconds { claimed = try await store.write { try $0.claim(rules).work } }
        guard claimed.map(\.record.id) == ["due"] else {
            throw CommandLineTool.Failed(description: "the claim took \(claimed.map(\.record.id)) instead of one item")
        }
        let key = claimed[0].record.transferKey
        _ = try await store.write { try $0.apply(.workerFinished(.succeeded), to: key, now: now) }
        return time
    }

    private struct NoZones: TimeZones {
        func zone(named name: String) -> (any UTCOffsets)? { nil }
    }
}
