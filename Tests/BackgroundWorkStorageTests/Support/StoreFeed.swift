import BackgroundWorkModel
import Synchronization

@testable import BackgroundWorkStorage

/// What a store tells its scheduler, and asks it.
final class StoreFeed: WorkClaimer {
    private struct State {
        var offer: ClaimRules?
        var newest = CommitSummary()
        var ended: AsyncStream<(any Error)?>.Continuation?
    }

    private let state = Mutex(State())

    /// What the newest commit did.
    var newest: CommitSummary { state.withLock { $0.newest } }

    func note(_ summary: CommitSummary) { state.withLock { $0.newest = summary } }

    /// What transactions may claim from now on; `nil` for nothing.
    func offer(_ rules: ClaimRules?) { state.withLock { $0.offer = rules } }

    /// Has an element for each run's end that is stored from now on.
    func ends() -> AsyncStream<(any Error)?> {
        let (stream, continuation) = AsyncStream.makeStream(of: (any Error)?.self)
        state.withLock { $0.ended = continuation }
        return stream
    }

    func claimRules() -> ClaimRules? { state.withLock { $0.offer } }

    func runIsStored(_ result: RunResult, _ error: (any Error)?) { state.withLock { $0.ended }?.yield(error) }
}
