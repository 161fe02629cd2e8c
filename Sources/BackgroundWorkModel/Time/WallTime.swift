import BackgroundWorkFoundation

/// Milliseconds since 1970 on the wall clock: the form in which the store and the state file write instants.
package struct WallTime: Sendable, Hashable, Comparable, Codable {
    package var milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Dates beyond 100 million years are limited to that, so that the difference of two always fits; a date that is
    /// not a number becomes 1970.
    package init(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        self.milliseconds =
            milliseconds.isNaN ? 0 : Int64(min(max(milliseconds, -Self.farthestMs), Self.farthestMs))
    }

    private static let farthestMs = 3.15e18

    package init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }

    /// An instant that never comes.
    package static let distantFuture = WallTime(milliseconds: .max)

    package var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

    package func advanced(byMs delta: Int64) -> WallTime {
        let (sum, overflow) = milliseconds.addingReportingOverflow(delta)
        return WallTime(milliseconds: overflow ? (delta < 0 ? .min : .max) : sum)
    }

    package static func < (lhs: WallTime, rhs: WallTime) -> Bool { lhs.milliseconds < rhs.milliseconds }
}

extension Duration {
    /// Seconds of Foundation's kind: what is no number, or below zero, is none, and at most a hundred years.
    package init(clamping seconds: Double) {
        self = .seconds(seconds.isNaN ? 0 : min(max(seconds, 0), 100 * 366 * 86_400))
    }

    /// Whole milliseconds, rounded towards zero; the bounds of `Int64` where it does not fit.
    package var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, sumOverflow) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return sumOverflow ? (seconds < 0 ? .min : .max) : sum
    }
}
