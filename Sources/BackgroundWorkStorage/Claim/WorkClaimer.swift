/// The scheduler behind a writer: each transaction asks it what it can take, and ``CommitSummary`` tells what it got.
package protocol WorkClaimer: AnyObject, Sendable {
    /// What may be claimed now; `nil` for nothing. Called on the writer's queue.
    func claimRules() -> ClaimRules?

    /// A run's end is durable, or could not be stored for that error. Called on the writer's queue.
    func runIsStored(_ result: RunResult, _ error: (any Error)?)

    /// How many runs will end within microseconds, as far as one can tell. Called on the writer's queue.
    func runsAboutToEnd() -> Int
}

extension WorkClaimer {
    package func runsAboutToEnd() -> Int { 0 }
}
