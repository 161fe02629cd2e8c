import BackgroundWorkModel
import BackgroundWorkFoundation

/// How a scheduler's directory stands at one moment.
public struct SchedulerHealth: Sendable, Hashable {
    /// One queue.
    public struct Queue: Sendable, Hashable {
        /// The queue's label.
        public let name: String
        /// How many unfinished items stand where.
        public let counts: [WorkState: Int]
        /// Whether it is paused.
        public let isPaused: Bool
    }

    /// The queues with unfinished work, and those that are paused, by name.
    public let queues: [Queue]
    /// The item that has been due for longest and has not begun.
    public let oldestDueID: String?
    /// Since when that one is due.
    public let oldestDueSince: Date?
    /// The conditions of the device that hold.
    public let device: DeviceState
    /// How many items this scheduler runs, or is about to.
    public let running: Int
    /// How many it may run.
    public let slots: Int
    /// Schedulers on the directory that have an owner row, this one included.
    public let schedulers: Int
}
