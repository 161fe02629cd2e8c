/// One limit, shared by the exchanges that move bytes under it. It is divided in short rounds; in each round every
/// exchange that asks gets at most the same share, and what one leaves is available to the others in the next round.
/// Lives on the network loop's thread.
package final class BandwidthLimit {
    package typealias Instant = TokenBucket.Instant

    package let bytesPerSecond: Int64
    private var bucket: TokenBucket
    private var roundStart: Instant
    /// How many bytes each exchange may move in this round.
    private var share = 0
    /// How many bytes each exchange has moved in this round.
    private var moved: [ObjectIdentifier: Int] = [:]
    /// Whether an exchange wanted more than it was given.
    private var isShort = false

    /// - Parameter bytesPerSecond: above 0.
    package init(bytesPerSecond: Int64, now: Instant) {
        self.bytesPerSecond = bytesPerSecond
        bucket = TokenBucket(bytesPerSecond: bytesPerSecond, now: now)
        roundStart = now
    }

    /// Chosen for pieces of 16 kB; smaller ones at a low rate, where such a round would be too long, and larger ones at
    /// a high rate, where waking so often would cost more than moving the bytes.
    private var roundSeconds: Double { min(max(16_384 / bucket.bytesPerSecond, 0.005), 0.05) }

    /// A longer gap is not a delay of this process; only such delays are made up for.
    private static let longestLateness = 0.5

    /// When exchanges that were given nothing may ask again.
    package var nextRound: Instant { roundStart + .seconds(roundSeconds) }

    /// How much of `wanted` bytes may be moved now; 0: ask again in the next round.
    package func allowance(for asker: ObjectIdentifier, wanting wanted: Int, now: Instant) -> Int {
        if now >= nextRound { beginRound(now) }
        let left = min(share - moved[asker, default: 0], bucket.bytes)
        moved[asker, default: 0] += 0
        if left < wanted { isShort = true }
        return min(max(0, left), wanted)
    }

    package func take(_ bytes: Int, by asker: ObjectIdentifier) {
        bucket.take(bytes)
        moved[asker, default: 0] += bytes
    }

    private func beginRound(_ now: Instant) {
        let gap = (now - roundStart) / .seconds(1)
        // Unused allowance is not saved: it would be sent as a burst later.
        let isMadeUpFor = isShort && gap <= Self.longestLateness
        bucket.fill(until: now, keeping: isMadeUpFor ? Self.longestLateness : roundSeconds)
        share = max(1, bucket.bytes / max(1, moved.count))
        moved.removeAll(keepingCapacity: true)
        isShort = false
        roundStart = now
    }
}

/// How many bytes may be moved now under a limit: it fills at the limit's rate, and moved bytes are taken from it.
/// Pure.
package struct TokenBucket {
    package typealias Instant = SuspendingClock.Instant

    /// Above 0.
    package let bytesPerSecond: Double
    private var level = 0.0
    private var filledAt: Instant

    /// It starts empty: from then on at most rate times elapsed time is moved.
    package init(bytesPerSecond: Int64, now: Instant) {
        self.bytesPerSecond = Double(max(1, bytesPerSecond))
        filledAt = now
    }

    package var bytes: Int { Int(min(level, Double(Int32.max))) }

    /// - Parameter seconds: For how long unused allowance is kept.
    package mutating func fill(until now: Instant, keeping seconds: Double) {
        let elapsed = max(0, (now - filledAt) / .seconds(1))
        filledAt = max(filledAt, now)
        // With less room than one byte, the level would never reach one.
        level = min(level + elapsed * bytesPerSecond, max(1, seconds * bytesPerSecond))
    }

    package mutating func take(_ bytes: Int) { level = max(0, level - Double(bytes)) }
}
