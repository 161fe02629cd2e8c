#if os(Linux)
import BackgroundWorkModel
import Dispatch
import Glibc

/// `deviceIdle`, from the load average. There is no event for it, so it is looked at now and then.
///
/// Where the system keeps no load average the device counts as idle, and a note says so.
final class IdleCondition: ConditionSource {
    let conditions: Constraints = .deviceIdle
    private let timers: any LookTimers
    private let load: (_ own: Double) -> MachineLoad?
    private var own = ProcessLoad()
    private var timer: AnyObject?
    private var isUnknown = false

    static let secondsBetweenLooks = 30

    init(
        timers: any LookTimers = DispatchLookTimers(),
        load: @escaping (_ own: Double) -> MachineLoad? = IdleCondition.loadOfSystem
    ) {
        self.timers = timers
        self.load = load
        // What this process uses is counted from here on.
        _ = own.averageNow()
    }

    var notes: [String] { isUnknown ? ["The device counts as idle: the system tells no load average."] : [] }

    func read() -> Constraints {
        let load = load(own.averageNow())
        isUnknown = load == nil
        return load?.isIdle ?? true ? .deviceIdle : []
    }

    func beginWatching(on queue: DispatchQueue, woken: @escaping @Sendable (Wake) -> Void) {
        timer = timers.begin(every: Self.secondsBetweenLooks, on: queue, woken: woken)
    }

    func endWatching() { timer = nil }

    static func loadOfSystem(own: Double) -> MachineLoad? {
        var average = 0.0
        guard getloadavg(&average, 1) == 1 else { return nil }
        return MachineLoad(average: average, own: own, cores: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }
}
#endif
