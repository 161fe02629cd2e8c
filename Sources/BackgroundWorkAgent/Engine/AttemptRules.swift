import BackgroundWorkModel
import BackgroundWorkTransfers

/// What follows a failed attempt. Pure.
struct AttemptRules: Sendable {
    enum Decision: Sendable, Hashable {
        case retry(afterMs: Int64)
        case nextMirror
        case fail
    }

    /// An attempt that has moved so much was no failure of the server's: the count begins anew.
    static let progressBytes: Int64 = 1 << 20
    /// A server that asks for a longer wait is asked again then all the same: what it says may be an error.
    private static let longestAskedWaitMs: Int64 = 86_400_000

    var policy: RetryPolicy
    var mirrorsLeft: Int

    /// - Parameters:
    ///   - attempt: How many have failed since the count began, this one included.
    ///   - random: From 0 to 1.
    func decide(_ failure: TransferFailure, attempt: Int, random: Double) -> Decision {
        let lastWord: Decision = mirrorsLeft > 0 && Self.mayLieInServer(failure) ? .nextMirror : .fail
        guard failure.isRetryable, failure.kind != .disk,
            let backoff = policy.delayMs(afterAttempt: attempt, random: random)
        else { return lastWord }
        return .retry(afterMs: max(backoff, min(failure.retryAfterMs ?? 0, Self.longestAskedWaitMs)))
    }

    /// Whether another server may do better.
    private static func mayLieInServer(_ failure: TransferFailure) -> Bool {
        switch failure.kind {
        case .network, .status, .truncated, .refused, .checksum: true
        case .disk, .invalid, .sourceChanged, .limit: false
        }
    }
}
