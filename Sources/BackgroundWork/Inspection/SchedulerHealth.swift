import BackgroundWorkFoundation
import BackgroundWorkModel

/// The state of a scheduler's directory at one moment.
public struct SchedulerHealth: Sendable, Hashable {
    /// One queue.
    public struct Queue: Sendable, Hashable {
        /// The queue's label.
        public let name: String
        /// How many unfinished items are in each state.
        public let counts: [WorkState: Int]
        /// Whether it is paused.
        public let isPaused: Bool
    }

    /// The queues with unfinished work, and those that are paused, by name.
    public let queues: [Queue]
    /// The item that has been due for longest and has not started.
    public let oldestDueID: String?
    /// Since when that item is due.
    public let oldestDueSince: Date?
    /// The device conditions that are met, and those that cannot be read or watched.
    public let device: DeviceState
    /// How many items this scheduler runs, or is about to run.
    public let running: Int
    /// How many items it may run at the same time.
    public let slots: Int
    /// Schedulers on the directory that have an owner row, this one included.
    public let schedulers: Int
}
