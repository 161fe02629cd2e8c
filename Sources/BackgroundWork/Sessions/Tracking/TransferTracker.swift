import BackgroundWorkModel
import Observation

/// The transfers of a scheduler as a list that a user interface can bind to.
///
/// ```swift
/// struct Downloads: View {
///     @State private var tracker: TransferTracker
///     init(_ scheduler: WorkScheduler) { _tracker = State(initialValue: TransferTracker(scheduler)) }
///     var body: some View {
///         List(tracker.transfers) { Text($0.fileName); ProgressView(value: $0.fraction ?? 0) }
///     }
/// }
/// ```
///
/// Changes are merged, at most ten updates a second by the scheduler's clock. It follows from its creation until
/// ``stop()``, its deallocation, or the scheduler's shutdown, and does not keep the scheduler alive. Transfers that
/// the daemon already had before are listed as soon as the daemon has reported them; those that had ended before are
/// not.
@MainActor @Observable
public final class TransferTracker {
    /// The active transfers, and those that have ended since the tracker was created, in the order in which they were
    /// first reported. Work that is retried keeps its position.
    public private(set) var transfers: [TrackedTransfer] = []

    /// The totals, without those that have failed or were cancelled.
    public private(set) var totals = TransferTotals()

    /// Whether it still receives changes.
    public private(set) var isFollowing = true

    @ObservationIgnored private let feed: TransferFeed
    @ObservationIgnored private let tasks = TaskBag()

    /// Starts to follow.
    ///
    /// - Parameters:
    ///   - group: only transfers with this label; `nil` for all.
    ///   - endedLimit: how many ended transfers stay in the list; the oldest are removed first.
    public init(_ scheduler: WorkScheduler, group: String? = nil, endedLimit: Int = 1000) {
        let feed = TransferFeed(scheduler, group: group, endedLimit: max(0, endedLimit))
        let clock = scheduler.configuration.clock
        self.feed = feed
        tasks.add(
            Task { [weak self] in
                while await feed.wait() {
                    let found = await feed.transfers()
                    if self?.show(found) == nil { return }
                    do { try await clock.sleep(for: .milliseconds(100)) } catch { return }
                }
                if Task.isCancelled { return }
                // What changed between the last read and the shutdown.
                let found = await feed.transfers()
                self?.show(found)
                self?.end()
            })
    }

    /// How many have not ended.
    public var unfinished: Int { transfers.count { $0.outcome == nil } }

    /// Removes those that have ended from the list.
    public func removeEnded() { show(feed.removeEnded()) }

    /// Stops following; the list stays as it is.
    public func stop() {
        tasks.cancelAll()
        end()
    }

    private func end() { if isFollowing { isFollowing = false } }

    private func show(_ found: [TrackedTransfer]) {
        if found == transfers { return }
        transfers = found
        var totals = TransferTotals()
        for transfer in found where transfer.outcome ?? .succeeded == .succeeded {
            totals.add(bytes: transfer.bytes, of: transfer.totalBytes, bytesPerSecond: transfer.bytesPerSecond)
        }
        if totals != self.totals { self.totals = totals }
    }
}
