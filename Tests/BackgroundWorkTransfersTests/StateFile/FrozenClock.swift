import BackgroundWorkModel
import Foundation

/// A stopped clock.
struct FrozenClock: WorkClock {
    var now: Date { Date(timeIntervalSince1970: 1_800_000_000) }
    var uptime: Duration { .zero }

    func sleep(for duration: Duration) async throws {}

    func adjustments() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
}
