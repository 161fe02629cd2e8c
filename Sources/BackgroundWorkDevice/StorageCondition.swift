import BackgroundWorkModel
import BackgroundWorkSystem
import Dispatch

/// `storageNotLow`, from statvfs(3). There is no event for it, so it is checked periodically.
///
/// A folder whose volume cannot be queried counts as having free space: a write to a full volume fails with its own
/// error.
final class StorageCondition: ConditionSource {
    let conditions: Constraints = .storageNotLow
    private let directory: String
    private let timers: any InspectionTimers
    private let space: (String) -> VolumeSpace?
    private var timer: AnyObject?
    private var failure: Int32?

    static let secondsBetweenInspections = 30

    init(
        directory: String, timers: any InspectionTimers = DispatchInspectionTimers(),
        space: @escaping (String) -> VolumeSpace? = VolumeSpace.init(of:)
    ) {
        self.directory = directory
        self.timers = timers
        self.space = space
    }

    var notes: [String] {
        failure.map {
            ["Storage counts as free: the volume of \(directory) cannot be queried (\(String(cString: strerror($0))))."]
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
        timer = timers.begin(every: Self.secondsBetweenInspections, on: queue, woken: woken)
    }

    func endWatching() { timer = nil }
}

/// The size of a volume, and the space available to this user.
package struct VolumeSpace: Equatable, Sendable {
    /// In bytes.
    var size: UInt64
    /// In bytes, without the space reserved for root.
    package var available: UInt64

    init(size: UInt64, available: UInt64) {
        self.size = size
        self.available = available
    }

    /// Of the volume that `path` lies on; `nil`, with errno set, if the system does not report it.
    package init?(of path: String) {
        var answer = statvfs()
        guard statvfs(path, &answer) == 0 else { return nil }
        size = Self.bytes(answer.f_blocks, of: answer.f_frsize)
        available = Self.bytes(answer.f_bavail, of: answer.f_frsize)
    }

    /// Network file systems may report more than fits into 64 bits.
    private static func bytes(_ blocks: UInt, of size: UInt) -> UInt64 {
        let (bytes, overflow) = UInt64(blocks).multipliedReportingOverflow(by: UInt64(size))
        return overflow ? .max : bytes
    }

    /// Less than 5 % of the volume is free, and less than 500 MB: on a small volume a share must stay free, and on a
    /// large one that share would be unnecessarily large.
    var isLow: Bool { available < min(size / 20, 500_000_000) }
}
