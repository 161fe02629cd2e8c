/// Waits for a condition that must hold soon, and gives up after a limit.
///
/// The limit is a bound on hanging: it is far longer than what is waited for takes, and a test that passes does not
/// notice it.
///
/// - Returns: whether the condition held in time.
package func comesTrue(
    within limit: Duration = .seconds(60), isolation: isolated (any Actor)? = #isolation,
    _ condition: () async throws -> Bool
) async throws -> Bool {
    let clock = ContinuousClock()
    let deadline = clock.now.advanced(by: limit)
    var looks = 0
    while try await !condition() {
        looks += 1
        // Where a look takes seconds, since the machine does something else, so does what is waited for.
        guard clock.now < deadline || looks < 300 else { return false }
        try await clock.sleep(for: .milliseconds(5))
    }
    return true
}
