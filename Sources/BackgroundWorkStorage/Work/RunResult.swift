import BackgroundWorkModel
import Synchronization

/// How a run has ended, on its way into the store.
package final class RunResult: Sendable {
    package let work: ClaimedWork
    package let owner: Int64
    package let ending: RunEnding
    /// What is enqueued together with its success.
    package let submissions: RunSubmissions
    /// How long it took, on a clock that nobody sets.
    package let duration: Duration
    package let now: WallTime
    /// Numbers from 0 to 1, for the jitter of a retry; asked for only then.
    package let random: @Sendable () -> Double
    /// Where its begin is noted.
    package let cell: Int?
    private let failures = Atomic(0)

    package init(
        work: ClaimedWork, owner: Int64, ending: RunEnding, submissions: RunSubmissions, duration: Duration,
        now: WallTime, random: @escaping @Sendable () -> Double, cell: Int? = nil
    ) {
        self.work = work
        self.owner = owner
        self.ending = ending
        self.submissions = submissions
        self.duration = duration
        self.now = now
        self.random = random
        self.cell = cell
    }

    /// It could not be stored. Returns how often that has happened.
    package func noteFailure() -> Int { failures.add(1, ordering: .relaxed).newValue }
}
