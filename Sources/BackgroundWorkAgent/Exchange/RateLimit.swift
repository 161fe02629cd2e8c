/// One limit, and those who move bytes under it. It is shared out in short rounds, in each of which everybody who asks
/// gets the same at most; what one leaves, others get in the next. Lives on the network loop's thread.
final class RateLimit {
    typealias Instant = TokenBucket.Instant

    let bytesPerSecond: Int64
    private var bucket: TokenBucket
    private var roundStart: Instant
    /// What each may move in this round.
    private var share = 0
    /// What each that has asked has moved in this round.
    private var moved: [ObjectIdentifier: Int] = [:]
    /// Whether somebody wanted more than it was given.
    private var isShort = false

    /// - Parameter bytesPerSecond: above 0.
    init(bytesPerSecond: Int64, now: Instant) {
        self.bytesPerSecond = bytesPerSecond
        bucket = TokenBucket(bytesPerSecond: bytesPerSecond, now: now)
        roundStart = now
    }

    /// Pieces of 16 kB where that is soon enough; smaller ones where it would be long, and larger ones where it would be
    /// so often that the waking costs more than the moving.
    private var roundSeconds: Double { min(max(16_384 / bucket.bytesPerSecond, 0.005), 0.05) }

    /// Beyond this a gap is not this process's lateness, which is made up for.
    private static let longestLateness = 0.5

    /// When there is more for those that were given nothing.
    var nextRound: Instant { roundStart + .seconds(roundSeconds) }

    /// How much of `wanted` bytes may be moved now; 0: ask again in the next round.
    func allowance(for asker: ObjectIdentifier, wanting wanted: Int, now: Instant) -> Int {
        if now >= nextRound { beginRound(now) }
        let left = min(share - moved[asker, default: 0], bucket.bytes)
        moved[asker, default: 0] += 0
        if left < wanted { isShort = true }
        return min(max(0, left), wanted)
    }

    func take(_ bytes: Int, by asker: ObjectIdentifier) {
        bucket.take(bytes)
        moved[asker, default: 0] += bytes
    }

    private func beginRound(_ now: Instant) {
        let gap = (now - roundStart) / .seconds(1)
        // What others are too slow for is not saved up: it would come as a burst later.
        let isMadeUpFor = isShort && gap <= Self.longestLateness
        bucket.fill(until: now, keeping: isMadeUpFor ? Self.longestLateness : roundSeconds)
        share = max(1, bucket.bytes / max(1, moved.count))
        moved.removeAll(keepingCapacity: true)
        isShort = false
        roundStart = now
    }
}

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
