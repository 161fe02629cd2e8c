import Foundation

extension [Double] {
    /// The middle one of the figures, or the upper of the two in the middle.
    var median: Double { isEmpty ? .nan : sorted()[count / 2] }

    /// The figure that so many percent of the figures do not exceed.
    func percentile(_ percent: Int) -> Double {
        isEmpty ? .nan : sorted()[Swift.max(0, (count * percent + 99) / 100 - 1)]
    }

    /// How far the figures typically lie from their median: the median of the distances.
    var deviation: Double {
        let middle = median
        return map { abs($0 - middle) }.median
    }
}

extension Double {
    /// With two digits after the point.
    var short: String { String(format: "%.2f", self) }
}

extension Duration {
    var inMilliseconds: Double { self / .milliseconds(1) }
}

/// What a call took, in milliseconds.
func milliseconds(_ body: () async throws -> Void) async rethrows -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try await body()
    return start.duration(to: clock.now).inMilliseconds
}
