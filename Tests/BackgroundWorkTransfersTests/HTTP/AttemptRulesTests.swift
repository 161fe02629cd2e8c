import BackgroundWorkModel
import Testing

@testable import BackgroundWorkTransfers

@Suite("What follows a failed attempt")
struct AttemptRulesTests {
    private let policy = RetryPolicy.exponential(
        initialDelay: .seconds(1), maximumDelay: .seconds(8), maximumAttempts: 3, jitter: 0)

    private func failure(
        _ kind: TransferFailure.Kind, retryable: Bool = true, retryAfterMs: Int64? = nil
    ) -> TransferFailure {
        TransferFailure(kind: kind, message: "", isRetryable: retryable, retryAfterMs: retryAfterMs)
    }

    @Test("an attempt is followed by others, each later than the one before, as often as the policy says")
    func policies() {
        let rules = AttemptRules(policy: policy, mirrorsLeft: 0)
        #expect(rules.decide(failure(.network), attempt: 1, random: 0.5) == .retry(afterMs: 1000))
        #expect(rules.decide(failure(.network), attempt: 2, random: 0.5) == .retry(afterMs: 2000))
        #expect(rules.decide(failure(.network), attempt: 3, random: 0.5) == .fail)
        #expect(AttemptRules(policy: .never, mirrorsLeft: 0).decide(failure(.network), attempt: 1, random: 0) == .fail)
    }

    @Test("a permanent failure is the last attempt, or tries the next mirror")
    func final() {
        let last = AttemptRules(policy: policy, mirrorsLeft: 0)
        let others = AttemptRules(policy: policy, mirrorsLeft: 2)
        for kind in [.network, .status, .truncated, .refused, .checksum] as [TransferFailure.Kind] {
            #expect(last.decide(failure(kind, retryable: false), attempt: 1, random: 0) == .fail)
            #expect(others.decide(failure(kind, retryable: false), attempt: 1, random: 0) == .nextMirror)
        }
        for kind in [.disk, .invalid, .sourceChanged, .limit] as [TransferFailure.Kind] {
            #expect(others.decide(failure(kind, retryable: false), attempt: 1, random: 0) == .fail)
        }
    }

    @Test("a mirror is tried when the attempts at the previous server are used up")
    func mirrors() {
        let rules = AttemptRules(policy: policy, mirrorsLeft: 1)
        #expect(rules.decide(failure(.status), attempt: 2, random: 0) == .retry(afterMs: 2000))
        #expect(rules.decide(failure(.status), attempt: 3, random: 0) == .nextMirror)
    }

    @Test("the agent does not wait on a full disk: the request's own policy decides")
    func disk() {
        #expect(AttemptRules(policy: policy, mirrorsLeft: 1).decide(failure(.disk), attempt: 1, random: 0) == .fail)
    }

    @Test("the server's wait counts when it is longer than ours, up to a day")
    func retryAfter() {
        let rules = AttemptRules(policy: policy, mirrorsLeft: 0)
        #expect(rules.decide(failure(.status, retryAfterMs: 90_000), attempt: 1, random: 0) == .retry(afterMs: 90_000))
        #expect(rules.decide(failure(.status, retryAfterMs: 5), attempt: 2, random: 0) == .retry(afterMs: 2000))
        #expect(rules.decide(failure(.status, retryAfterMs: 0), attempt: 1, random: 0) == .retry(afterMs: 1000))
        #expect(
            rules.decide(failure(.status, retryAfterMs: .max), attempt: 1, random: 0) == .retry(afterMs: 86_400_000))
    }
}
