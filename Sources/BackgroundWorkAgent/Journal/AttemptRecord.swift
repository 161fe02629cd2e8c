import BackgroundWorkModel

/// What is remembered of a failed attempt.
struct AttemptRecord: Sendable, Hashable {
    var failures: Int
    var nextAttempt: WallTime?
    var mirror: Int
}
