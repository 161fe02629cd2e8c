import BackgroundWorkModel
import Foundation

/// A clock on which time passes so many times as fast, for what waits long by itself.
package struct QuickClock: WorkClock {
    private let factor: Int
    private let wallStart: Date
    private let start = ContinuousClock().now

    /// - Parameter date: when it began; processes with the same one have the same time.
    package init(factor: Int, since date: Date = Date()) {
        self.factor = factor
        wallStart = date.addingTimeInterval(Date().timeIntervalSince(date) * Double(factor))
    }

    package var uptime: Duration { (ContinuousClock().now - start) * factor }

    package var now: Date {
        let (seconds, attoseconds) = uptime.components
        return wallStart.addingTimeInterval(Double(seconds) + Double(attoseconds) / 1e18)
    }

    package func sleep(for duration: Duration) async throws {
        try await ContinuousClock().sleep(for: duration / factor)
    }

    package func adjustments() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
}
