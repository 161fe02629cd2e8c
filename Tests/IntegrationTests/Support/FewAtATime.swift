import TestSupport
import Testing

/// Of the suites that have it only a few run at a time.
///
/// They start agents, hosts and servers and wait for what those do; each process more keeps the others from getting
/// there in time. A suite waits before its first test begins, so that no test's time limit runs meanwhile.
struct FewAtATime: SuiteTrait, TestScoping {
    private static let places = Places(6)

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        await Self.places.take()
        defer { Self.places.giveBack() }
        try await function()
    }
}

extension Trait where Self == FewAtATime {
    static var fewAtATime: Self { Self() }
}
