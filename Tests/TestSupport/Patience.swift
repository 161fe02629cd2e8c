/// Waits for what has to come soon, and gives up on what never does.
///
/// The limit is a bound on hanging: it is far longer than what is waited for takes, and a test that passes does not
/// notice it.
///
/// - Returns: whether the condition came to hold.
package func comesTrue(
    within limit: Duration = .seconds(60), isolation: isolated (any Actor)? = #isolation,
    _ condition: () async throws -> Bool
) async throws -> Bool {
    let clock = ContinuousClock()
    let deadline = clock.now.advanced(by: limit)
    while try await !condition() {
        guard clock.now < deadline else { return false }
        try await clock.sleep(for: .milliseconds(5))
    }
    return true
}
