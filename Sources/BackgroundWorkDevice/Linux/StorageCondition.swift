#if os(Linux)
import BackgroundWorkModel
import Dispatch
import BackgroundWorkSystem

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

/// How large a volume is, and how much of it this user may still fill.
package struct VolumeSpace: Equatable, Sendable {
    /// In bytes.
    var size: UInt64
    /// In bytes, without what is reserved for root.
    package var available: UInt64

    init(size: UInt64, available: UInt64) {
        self.size = size
        self.available = available
    }

    /// Of the volume that `path` lies on; `nil`, with errno set, if the system does not say.
    package init?(of path: String) {
        var answer = statvfs()
        guard statvfs(path, &answer) == 0 else { return nil }
        size = Self.bytes(answer.f_blocks, of: answer.f_frsize)
        available = Self.bytes(answer.f_bavail, of: answer.f_frsize)
    }

    /// File systems over a network may claim more than fits.
    private static func bytes(_ blocks: UInt, of size: UInt) -> UInt64 {
        let (bytes, overflow) = UInt64(blocks).multipliedReportingOverflow(by: UInt64(size))
        return overflow ? .max : bytes
    }

    /// Less than 5 % of the volume is free, and less than 500 MB: of a small volume a share must stay free, and on a
    /// large one a share would be far more than anybody needs.
    var isLow: Bool { available < min(size / 20, 500_000_000) }
}
#endif
