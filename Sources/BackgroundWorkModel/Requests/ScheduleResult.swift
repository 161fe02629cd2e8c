/// What became of an enqueued request or chain.
public enum ScheduleResult: Sendable, Hashable {
    /// It is on disk, and will run. The id is the one given, or the one that was made up for it.
    case accepted(id: String)
    /// Unfinished work with this id was there, and the policy was ``ExistingWorkPolicy/keep``.
    case keptExisting(id: String)
    /// Its deadline lies in the past; nothing was enqueued.
    case deadlineAlreadyPassed
    /// The platform takes no more work at present; nothing was enqueued.
    case throttled
    /// The platform refused it, for the reason given; nothing was enqueued.
    case rejectedBySystem(reason: String)
}
