import BackgroundWorkModel
import Dispatch

/// `storageNotLow`, from what the system says of a volume. There is no event for it, so it is checked periodically.
final class StorageCondition: ConditionSource {
    let conditions: Constraints = .storageNotLow
    private let directory: String
    private let timers: any InspectionTimers
    private let space: (String) throws(VolumeQueryError) -> VolumeSpace
    private var timer: AnyObject?

    static let secondsBetweenInspections = 30

    init(
        directory: String, timers: any InspectionTimers = DispatchInspectionTimers(),
        space: @escaping (String) throws(VolumeQueryError) -> VolumeSpace = VolumeSpace.init(of:)
    ) {
        self.directory = directory
        self.timers = timers
        self.space = space
    }

    func read() -> DeviceState {
        do throws(VolumeQueryError) {
            return DeviceState(satisfied: try space(directory).isLow ? [] : conditions)
        } catch {
            return .unreadable(conditions, because: "the volume of \(directory) cannot be queried: \(error)")
        }
    }

    func beginWatching(on queue: DispatchQueue, woken: @escaping @Sendable (Wake) -> Void) {
        timer = timers.begin(every: Self.secondsBetweenInspections, on: queue, woken: woken)
    }

    func endWatching() { timer = nil }
}
