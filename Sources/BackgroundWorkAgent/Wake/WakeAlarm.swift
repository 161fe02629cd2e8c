import BackgroundWorkModel
import BackgroundWorkSystem
import CBackgroundWorkLinux

/// A descriptor for the network loop's poll that becomes ready at an instant of the wall clock, and also when the clock
/// is set, forward or back. Costs nothing until then.
final class WakeAlarm {
    let descriptor: Int32
    private var instant: WallTime?

    init() throws(SystemCallError) {
        descriptor = bgw_alarm_descriptor()
        guard descriptor >= 0 else { throw SystemCallError("timerfd_create", "of the network loop") }
    }

    deinit { close(descriptor) }

    /// `nil` turns it off.
    func set(_ instant: WallTime?) {
        guard instant != self.instant else { return }
        self.instant = instant
        if bgw_alarm_set(descriptor, instant?.milliseconds ?? 0) != 0 {
            AgentLog.write("\(SystemCallError("timerfd_settime", "of the network loop")); work may be launched late")
        }
    }

    /// After it became ready: it has to be set again.
    func clear() {
        var count: UInt64 = 0
        // Fails with ECANCELED when the clock was set.
        _ = read(descriptor, &count, 8)
        set(nil)
    }
}
