#if os(Linux)
import BackgroundWorkModel
import Dispatch
import Glibc

/// `storageNotLow`, from statvfs(3). There is no event for it, so it is looked at now and then.
///
/// A folder whose volume cannot be asked counts as having room: what writes there fails with a reason of its own.
final class StorageCondition: ConditionSource {
    let conditions: Constraints = .storageNotLow
    private let directory: String
    private let timers: any LookTimers
    private let space: (String) -> VolumeSpace?
    private var timer: AnyObject?
    private var failure: Int32?

    static let secondsBetweenLooks = 30

    init(
        directory: String, timers: any LookTimers = DispatchLookTimers(),
        space: @escaping (String) -> VolumeSpace? = VolumeSpace.init(of:)
    ) {
        self.directory = directory
        self.timers = timers
        self.space = space
    }

    var notes: [String] {
        failure.map {
            ["Storage counts as free: the volume of \(directory) does not say (\(String(cString: strerror($0))))."]
        }
            ?? []
    }

    func read() -> Constraints {
        guard let space = space(directory) else {
            failure = errno
            return .storageNotLow
        }
        failure = nil
        return space.isLow ? [] : .storageNotLow
    }

    func beginWatching(on queue: DispatchQueue, woken: @escaping @Sendable (Wake) -> Void) {
        timer = timers.begin(every: Self.secondsBetweenLooks, on: queue, woken: woken)
    }

    func endWatching() { timer = nil }
}
#endif
