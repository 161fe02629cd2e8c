import BackgroundWorkFiles
import BackgroundWorkSystem
import CBackgroundWorkLinux

/// Reports when the wall clock is set; the kernel signals it (timerfd_create(2), TFD_TIMER_CANCEL_ON_SET).
enum WallClockWatch {
    /// Milliseconds since 1970, in the far future: the timer waits for the change, not for the time.
    private static let farAway: Int64 = 253_402_300_799_000

    static func adjustments() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let descriptor = bgw_alarm_descriptor()
        guard descriptor >= 0, bgw_alarm_set(descriptor, farAway) == 0 else {
            if descriptor >= 0 { close(descriptor) }
            continuation.finish()
            return stream
        }
        let watch = DescriptorWatch(descriptor: descriptor, label: "BackgroundWork.WallClockWatch") {
            // Reading returns the change (ECANCELED), and only a timer that is armed again reports the next one.
            var expirations: UInt64 = 0
            _ = read(descriptor, &expirations, 8)
            _ = bgw_alarm_set(descriptor, farAway)
            continuation.yield()
        }
        continuation.onTermination = { _ in watch.cancel() }
        return stream
    }
}
