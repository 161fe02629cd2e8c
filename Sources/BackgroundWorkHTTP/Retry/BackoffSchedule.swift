import BackgroundWorkModel

/// The waits between attempts: they grow by a factor, up to a limit. Pure.
///
/// Waits are calculated in nanoseconds, so those below a second are exact. No number is refused and none can overflow:
/// what makes no sense is replaced by the nearest value that does.
package struct BackoffSchedule: Sendable, Hashable {
    private let initialNs: Double
    private let multiplier: Double
    private let maximumNs: Double
    private let jitter: Double

    /// Like the waits of durable work.
    private static let longestNs = Double(RequestRules.longestWaitMs) * 1e6

    package init(initialDelay: Duration, multiplier: Double, maximumDelay: Duration, jitter: Double) {
        initialNs = Self.nanoseconds(initialDelay)
        self.multiplier = multiplier.isNaN || multiplier < 0 ? 1 : multiplier
        maximumNs = Self.nanoseconds(maximumDelay)
        self.jitter = jitter.isNaN ? 0 : min(max(jitter, 0), 1)
    }

    /// The wait after this attempt, at most the maximum, jitter included.
    ///
    /// - Parameters:
    ///   - attempt: counted from 1.
    ///   - random: from 0 to 1; 0.5 means no jitter.
    package func delay(afterAttempt attempt: Int, random: Double) -> Duration {
        let random = random.isNaN ? 0.5 : min(max(random, 0), 1)
        let jittered = RetryPolicy.jittered(grown(by: attempt), jitter: jitter, random: random)
        return .nanoseconds(Int64(min(max(jittered.rounded(), 0), maximumNs)))
    }

    /// Never infinite or NaN. More than the longest wait is of no use, however it is shortened.
    private func grown(by attempt: Int) -> Double {
        guard initialNs > 0 else { return 0 }
        return min(initialNs * Self.power(multiplier, max(attempt, 1) - 1), Self.longestNs)
    }

    /// By squaring: exact where the result has no more bits than a `Double`, which functions for powers do not promise.
    private static func power(_ base: Double, _ exponent: Int) -> Double {
        var (result, square, rest) = (1.0, base, exponent)
        while rest > 0 {
            if rest & 1 == 1 { result *= square }
            square *= square
            rest >>= 1
        }
        return result
    }

    private static func nanoseconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return min(max(Double(seconds) * 1e9 + Double(attoseconds) / 1e9, 0), longestNs)
    }
}
