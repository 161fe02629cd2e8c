import Testing

@testable import BackgroundWorkAgent

@Suite("Waiting between launches of the host")
struct LaunchBackoffTests {
    @Test("the wait doubles from one second to five minutes, and a success resets it")
    func waits() {
        var backoff = LaunchBackoff()
        #expect(backoff.wait == .seconds(1))
        var waits: [Duration] = []
        for _ in 0..<11 {
            backoff.launchFailed()
            waits.append(backoff.wait)
        }
        #expect(waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map { .seconds($0) })
        backoff.succeeded()
        #expect(backoff.wait == .seconds(1))
    }
}
