import BackgroundWorkModel
import BackgroundWorkSystem
import Dispatch

/// `deviceIdle`, from the load average. There is no event for it, so it is checked periodically.
///
/// Where the system keeps no load average it cannot be read.
final class IdleCondition: ConditionSource {
    let conditions: Constraints = .deviceIdle
    private let timers: any InspectionTimers
    private let load: (_ own: Double) -> MachineLoad?
    private var own = ProcessLoad()
    private var timer: AnyObject?

    static let secondsBetweenInspections = 30

    init(
        timers: any InspectionTimers = DispatchInspectionTimers(),
        load: @escaping (_ own: Double) -> MachineLoad? = IdleCondition.loadOfSystem
    ) {
        self.timers = timers
        self.load = load
        // The processor time of this process is counted from here on.
        _ = own.averageNow()
    }

    func read() -> DeviceState {
        guard let load = load(own.averageNow()) else {
            return .unreadable(conditions, because: "the system reports no load average")
        }
        return DeviceState(satisfied: load.isIdle ? conditions : [])
    }

    func beginWatching(on queue: DispatchQueue, woken: @escaping @Sendable (Wake) -> Void) {
        timer = timers.begin(every: Self.secondsBetweenInspections, on: queue, woken: woken)
    }

    func endWatching() { timer = nil }

    static func loadOfSystem(own: Double) -> MachineLoad? {
        var average = 0.0
        guard getloadavg(&average, 1) == 1 else { return nil }
        return MachineLoad(average: average, own: own, cores: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }
}

/// How busy the machine is.
struct MachineLoad: Equatable, Sendable {
    /// The load average of one minute: how many threads run, wait for a processor or for a disk.
    var average: Double
    /// How much of it is this process's own.
    var own: Double
    /// The processors that are online.
    var cores: Int

    /// Whether other processes use less than three tenths of each processor. The kernel maintains the average of a
    /// minute anyway; it needs no second reading, and smooths short jobs. This process's own load is subtracted:
    /// otherwise work that waits for an idle device would end the idle state by running, and be stopped again and
    /// again.
    var isIdle: Bool { average - own < 0.3 * Double(cores) }
}

/// How many processors this process has used recently, averaged over a minute like the kernel's load average.
struct ProcessLoad: Sendable {
    private var value = 0.0
    private var last: (processorSeconds: Double, seconds: Double)?

    /// Both values count from an arbitrary start: the used processor time, and a monotonic clock.
    mutating func average(processorSeconds: Double, seconds: Double) -> Double {
        defer { last = (processorSeconds, seconds) }
        guard let last, seconds > last.seconds else { return value }
        let elapsed = seconds - last.seconds
        let decay = exp(-elapsed / 60)
        value = value * decay + (processorSeconds - last.processorSeconds) / elapsed * (1 - decay)
        return value
    }

    /// The average up to now.
    mutating func averageNow() -> Double {
        average(processorSeconds: Self.seconds(CLOCK_PROCESS_CPUTIME_ID), seconds: Self.seconds(CLOCK_MONOTONIC))
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
