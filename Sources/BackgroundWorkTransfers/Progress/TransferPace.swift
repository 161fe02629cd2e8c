/// What follows from the bytes that have been moved, how many there are, and how fast they come.
package enum TransferPace {
    /// From 0 to 1; `nil` while the whole is unknown. Of nothing all has been moved.
    package static func fraction(_ bytes: Int64, of total: Int64?) -> Double? {
        guard let total else { return nil }
        return total > 0 ? min(max(Double(bytes) / Double(total), 0), 1) : 1
    }

    /// How long the rest takes at a speed; `nil` while that or the whole is unknown, and while nothing moves.
    package static func timeLeft(_ bytes: Int64, of total: Int64?, bytesPerSecond: Int64?) -> Duration? {
        guard let total, let bytesPerSecond, bytesPerSecond > 0 else { return nil }
        return .seconds(max(0, Double(total - bytes)) / Double(bytesPerSecond))
    }
}
