import Foundation

/// Wall time and processor time from a moment on.
struct Meter {
    private let start = ContinuousClock.now
    private let processor = Self.processorSeconds

    /// Rate and processor time of so many jobs since then.
    func figures(jobs: Int) -> [String: Double] {
        let seconds = start.duration(to: .now).inMilliseconds / 1000
        let cpu = Self.processorSeconds - processor
        return ["rate": Double(jobs) / seconds, "wall": seconds * 1e6 / Double(jobs), "cpu": cpu * 1e6 / Double(jobs)]
    }

    /// User and system time of all threads of this process.
    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
