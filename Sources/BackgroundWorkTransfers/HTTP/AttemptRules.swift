import BackgroundWorkModel

/// Decides what happens after a failed attempt. Pure.
package struct AttemptRules: Sendable {
    package enum Decision: Sendable, Hashable {
        case retry(afterMs: Int64)
        case nextMirror
        case fail
    }

    /// After an attempt that moved this many bytes, the server is considered working: the count of failures restarts.
    package static let progressBytes: Int64 = 1 << 20
    /// The upper limit of a wait that the server asks for: a longer one may be an error of the server.
    package static let longestAskedWaitMs: Int64 = 86_400_000

    package var policy: RetryPolicy
    package var mirrorsLeft: Int

    package init(policy: RetryPolicy, mirrorsLeft: Int) {
        self.policy = policy
        self.mirrorsLeft = mirrorsLeft
    }

    /// - Parameters:
    ///   - attempt: The number of failed attempts since the count started, including this one.
    ///   - random: From 0 to 1.
    package func decide(_ failure: TransferFailure, attempt: Int, random: Double) -> Decision {
        let lastWord: Decision = mirrorsLeft > 0 && Self.mayLieInServer(failure) ? .nextMirror : .fail
        guard failure.isRetryable, failure.kind != .disk,
            let backoff = policy.delayMs(afterAttempt: attempt, random: random)
        else { return lastWord }
        return .retry(afterMs: max(backoff, min(failure.retryAfterMs ?? 0, Self.longestAskedWaitMs)))
    }

    /// Whether another server may succeed.
    private static func mayLieInServer(_ failure: TransferFailure) -> Bool {
        switch failure.kind {
        case .network, .status, .truncated, .refused, .checksum: true
        case .disk, .invalid, .sourceChanged, .limit: false
        }
    }
}
