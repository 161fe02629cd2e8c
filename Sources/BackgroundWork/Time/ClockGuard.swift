import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkStorage

/// Ensures that setting the wall clock back or forward neither loses nor repeats a run.
struct ClockGuard: Sendable {
    var store: WorkStore
    var clock: any WorkClock
    var notices: NoticeLog
    /// Called after each adjustment, in either direction.
    var adjusted: @Sendable () -> Void

    /// Compares the clock with its last stored value, of this process or another.
    func check() async throws {
        let reading = reading
        tell(setBackMs: try await store.write { try $0.adjust(to: reading) })
    }

    /// The same at launch, in one commit with this scheduler's registration for the directory and with the removal of
    /// what is past the retention limits.
    func check(registering ownership: Ownership) async throws -> Ownership.Held {
        let reading = reading
        let (held, setBackMs) = try await ownership.registered { transaction in
            try transaction.prune(now: reading.wall)
            return try transaction.adjust(to: reading)
        }
        tell(setBackMs: setBackMs)
        return held
    }

    private var reading: WorkTransaction.ClockReading {
        WorkTransaction.ClockReading(
            wall: WallTime(clock.now), uptimeMs: clock.uptime.milliseconds, boot: (try? BootIdentifier.read()) ?? "")
    }

    private func tell(setBackMs: Int64) {
        if setBackMs > 0 {
            notices.add(
                .clockSetBack,
                "The clock was set back by \(Duration.milliseconds(setBackMs)); the due times of waiting work were "
                    + "recalculated")
        }
    }

    /// Follows the clock until the task is cancelled.
    func follow() async {
        for await _ in clock.adjustments() {
            do {
                try await check()
            } catch {
                notices.add(
                    .storageFailure, "The due times of waiting work could not be adjusted to the new time: \(error)")
            }
            adjusted()
        }
    }
}
