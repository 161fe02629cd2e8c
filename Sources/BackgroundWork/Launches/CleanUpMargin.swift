/// How long before the end of the known time to stop work, so that it is put back in time: twice the longest time
/// that this took in the process.
struct CleanUpMargin: Sendable {
    private static let shortest = Duration.seconds(1)
    private static let longest = Duration.seconds(10)
    private var measured = Duration.zero

    mutating func took(_ duration: Duration) { measured = max(measured, duration) }

    /// Of a limit, what may be spent on work: at least half.
    func budget(of limit: Duration) -> Duration {
        max(limit - min(max(measured * 2, Self.shortest), Self.longest), limit / 2)
    }
}
