/// What `enqueue` does when unfinished work with the same id is already there.
///
/// Work that has finished never stands in the way: under any policy the id is then used anew.
public enum ExistingWorkPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// The unfinished work ends as cancelled (each request with its event), its transfers are cancelled, and the new
    /// work takes its place, all in one transaction. While a file of the old work is being moved into place, the call
    /// waits until that has finished.
    case replace
    /// The unfinished work stays, the new one is not enqueued, and the result is ``ScheduleResult/keptExisting(id:)``.
    case keep
    /// The new work waits, durably, until the unfinished one has ended, however it ends, and then takes its place.
    /// Cancelling the id cancels what waits as well. To work that recurs nothing can be appended, since it has no end.
    case append
    /// The unfinished work goes on under the new request, from its next attempt or occurrence on: it keeps its place
    /// in the queue, its attempts, and its planned time unless the trigger is another one.
    case update
}
