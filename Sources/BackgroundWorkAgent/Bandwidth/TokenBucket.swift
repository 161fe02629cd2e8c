/// What may be moved by now under a limit: it fills at the limit's rate, and is emptied by what is moved. Pure.
struct TokenBucket {
    typealias Instant = SuspendingClock.Instant

    /// Above 0.
    let bytesPerSecond: Double
    private var level = 0.0
    private var filledAt: Instant

    /// It begins empty: from then on never more is moved than the rate times the time.
    init(bytesPerSecond: Int64, now: Instant) {
        self.bytesPerSecond = Double(max(1, bytesPerSecond))
        filledAt = now
    }

    var bytes: Int { Int(min(level, Double(Int32.max))) }

    /// - Parameter seconds: For how long what comes in is kept if nobody takes it.
    mutating func fill(until now: Instant, keeping seconds: Double) {
        let elapsed = max(0, (now - filledAt) / .seconds(1))
        filledAt = max(filledAt, now)
        // Less than a byte would never become one.
        level = min(level + elapsed * bytesPerSecond, max(1, seconds * bytesPerSecond))
    }

    mutating func take(_ bytes: Int) { level = max(0, level - Double(bytes)) }
}
