import Testing

@testable import BackgroundWork

/// The part of a known time that is kept for putting work back.
struct CleanUpMarginTests {
    @Test("it is twice the longest clean-up, between 1 and 10 s, and at most half of the time")
    func budget() {
        var margin = CleanUpMargin()
        #expect(margin.budget(of: .seconds(30)) == .seconds(29))
        margin.took(.milliseconds(100))
        #expect(margin.budget(of: .seconds(30)) == .seconds(29))
        margin.took(.seconds(3))
        margin.took(.seconds(2))
        #expect(margin.budget(of: .seconds(30)) == .seconds(24))
        #expect(margin.budget(of: .seconds(5)) == .milliseconds(2500))
        margin.took(.seconds(60))
        #expect(margin.budget(of: .seconds(30)) == .seconds(20))
    }
}
