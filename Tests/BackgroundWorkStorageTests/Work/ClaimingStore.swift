import BackgroundWorkModel
import Foundation
import Synchronization

@testable import BackgroundWorkStorage

/// A store whose commits claim only when a test asks for it, and tell the test what they did.
final class ClaimingStore: WorkClaimer {
    private struct State {
        var offer: ClaimRules?
        var newest = CommitSummary()
    }

    private final class Feed: Sendable {
        let state = Mutex(State())
    }

    let store: WorkStore
    private let feed: Feed

    init(path: String, retaining: Int) throws {
        let feed = Feed()
        store = try WorkStore(
            path: path,
            settings: StoreSettings(
                retainedEvents: retaining, triggers: TriggerRules(zones: UTCOnly()), mayLeaveTransfers: { _ in false }),
            now: Date(), committed: { summary in feed.state.withLock { $0.newest = summary } })
        self.feed = feed
        store.connect(self)
    }

    var setAside: String? { store.setAside }

    func runIsStored(_ result: RunResult, _ error: (any Error)?) {}

    func claimRules() -> ClaimRules? { feed.state.withLock { $0.offer } }

    /// Makes one look for due work under these rules, and returns what its commit did.
    func claim(_ rules: ClaimRules) async throws -> CommitSummary {
        feed.state.withLock { $0.offer = rules }
        defer { feed.state.withLock { $0.offer = nil } }
        return try await withCheckedThrowingContinuation { continuation in
            store.lookForWork { [feed] error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: feed.state.withLock { $0.newest })
                }
            }
        }
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (WorkTransaction) throws -> Value
    ) async throws -> Value {
        try await store.write(body)
    }
}
