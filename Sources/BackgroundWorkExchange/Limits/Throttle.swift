/// Lets exchanges move as many bytes as their limits allow, and continues those that had to wait. Lives on the network
/// loop's thread.
///
/// libcurl's own limits are not used: they pass whole buffers before they start to count, so a file that fits into one
/// buffer is not limited at all.
package final class Throttle {
    package typealias Instant = TokenBucket.Instant

    /// The limit of all exchanges together.
    private var total: BandwidthLimit?
    private var waiting: [ObjectIdentifier: (exchange: Exchange, due: Instant)] = [:]

    package init() {}

    /// `nil` for no limit.
    package func limitAll(to bytesPerSecond: Int64?) {
        guard total?.bytesPerSecond != bytesPerSecond else { return }
        total = bytesPerSecond.map { BandwidthLimit(bytesPerSecond: $0, now: .now) }
    }

    /// Whether any limit applies to an exchange with this limit of its own.
    package func limits(_ own: BandwidthLimit?) -> Bool { own != nil || total != nil }

    /// When the first waiting exchange may continue.
    package var nextDue: Instant? { waiting.values.map(\.due).min() }

    /// How much of `wanted` bytes an exchange may move now. If that is 0, it must pause, and is continued later.
    package func allowance(for exchange: Exchange, wanting wanted: Int, now: Instant = .now) -> Int {
        let asker = ObjectIdentifier(exchange)
        var allowed = wanted
        var due = now
        for limit in [exchange.limit, total] {
            guard let limit else { continue }
            let left = limit.allowance(for: asker, wanting: wanted, now: now)
            if left == 0 { due = max(due, limit.nextRound) }
            allowed = min(allowed, left)
        }
        if allowed == 0, wanted > 0 { waiting[asker] = (exchange, due) }
        return allowed
    }

    package func moved(_ bytes: Int, by exchange: Exchange) {
        for limit in [exchange.limit, total] { limit?.take(bytes, by: ObjectIdentifier(exchange)) }
    }

    package func forget(_ exchange: Exchange) { waiting[ObjectIdentifier(exchange)] = nil }

    /// Continues the exchanges that are due. They may have to wait again at once.
    package func turn(now: Instant) {
        for (asker, wait) in waiting where wait.due <= now {
            guard waiting.removeValue(forKey: asker) != nil else { continue }
            wait.exchange.goOn()
        }
    }
}
