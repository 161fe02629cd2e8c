import Testing

@testable import BackgroundWorkModel

struct RetryPolicyTests {
    @Test("exponential waits double up to the maximum")
    func exponential() {
        let policy = RetryPolicy.exponential(
            initialDelay: .seconds(10), maximumDelay: .seconds(60), maximumAttempts: 6, jitter: 0)
        let delays = (1...6).map { policy.delayMs(afterAttempt: $0, random: 0.5) }
        #expect(delays == [10_000, 20_000, 40_000, 60_000, 60_000, nil])
    }

    @Test("linear waits grow by the initial delay")
    func linear() {
        let policy = RetryPolicy.linear(
            initialDelay: .seconds(10), maximumDelay: .seconds(35), maximumAttempts: 5, jitter: 0)
        let delays = (1...5).map { policy.delayMs(afterAttempt: $0, random: 0.5) }
        #expect(delays == [10_000, 20_000, 30_000, 35_000, nil])
    }

    @Test("jitter stretches and shortens, but never beyond the maximum")
    func jitter() {
        let policy = RetryPolicy.exponential(
            initialDelay: .seconds(10), maximumDelay: .seconds(11), maximumAttempts: 3, jitter: 0.2)
        #expect(policy.delayMs(afterAttempt: 1, random: 0) == 8_000)
        #expect(policy.delayMs(afterAttempt: 1, random: 0.5) == 10_000)
        #expect(policy.delayMs(afterAttempt: 1, random: 1) == 11_000)
    }

    @Test("a very late attempt does not overflow")
    func lateAttempt() {
        let policy = RetryPolicy.exponential(maximumAttempts: .max)
        #expect(policy.delayMs(afterAttempt: 5_000, random: 1) == 18_000_000)
    }

    @Test("contradictory numbers are named")
    func complaints() {
        #expect(RetryPolicy.exponential().complaint == nil)
        #expect(RetryPolicy.never.complaint == nil)
        #expect(RetryPolicy.linear(initialDelay: .seconds(-1)).complaint?.contains("initialDelay") == true)
        #expect(
            RetryPolicy.linear(initialDelay: .seconds(9), maximumDelay: .seconds(1)).complaint?
                .contains("maximumDelay") == true)
        #expect(RetryPolicy.linear(maximumAttempts: 0).complaint?.contains("maximumAttempts") == true)
        #expect(RetryPolicy.linear(jitter: 1.5).complaint?.contains("jitter") == true)
    }

    @Test("after the last attempt the failure gives the reason and the number of attempts")
    func exhausted() {
        func decision(attempt: Int, cap: Int? = nil, after: Duration? = nil) -> RetryDecision {
            RetryDecision(
                reason: "no answer", attempt: attempt, policy: .linear(initialDelay: .seconds(1), maximumAttempts: 3),
                after: after, attemptCap: cap, random: 0.5)
        }
        #expect(decision(attempt: 2) == .again(delayMs: 2_000))
        #expect(decision(attempt: 2, after: .seconds(90)) == .again(delayMs: 90_000))
        #expect(
            decision(attempt: 3) == .exhausted(message: "no answer (gave up after 3 attempts, the most allowed)"))
        #expect(decision(attempt: 1, cap: 1) == .exhausted(message: "no answer"))
    }
}
