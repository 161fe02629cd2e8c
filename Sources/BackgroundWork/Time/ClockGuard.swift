import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkStorage

/// Sees that a wall clock that is set back or forward neither loses nor doubles a run.
struct ClockGuard: Sendable {
    var store: WorkStore
    var clock: any WorkClock
    var notices: NoticeLog
    /// Called after each adjustment, in whichever direction.
    var adjusted: @Sendable () -> Void

    /// Compares the clock with how it stood when it was last looked at, in this process or another.
    ///
    /// - Parameter pruning: whether to drop what is past the retention limits as well, in the same commit.
    func check(pruning: Bool = false) async throws {
        let uptime = clock.uptime.milliseconds
        let reading = WorkTransaction.ClockReading(
            wall: WallTime(clock.now), uptimeMs: uptime, boot: (try? BootIdentifier.read()) ?? "")
        let setBackMs = try await store.write { transaction in
            if pruning { try transaction.prune(now: reading.wall) }
            return try transaction.adjust(to: reading)
        }
        if setBackMs > 0 {
            notices.add(
                .clockSetBack,
                "The clock was set back by \(Duration.milliseconds(setBackMs)); what waits was planned anew")
        }
    }

    /// Follows the clock until the task is cancelled.
    func follow() async {
        for await _ in clock.adjustments() {
            do {
                try await check()
            } catch {
                notices.add(.storageFailure, "What waits could not be fitted to the clock's new time: \(error)")
            }
            adjusted()
        }
    }
}
