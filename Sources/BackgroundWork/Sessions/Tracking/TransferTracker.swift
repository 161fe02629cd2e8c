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
/// Changes come together, at most ten times a second by the scheduler's clock. It follows from its creation until
/// ``stop()``, its own end, or the scheduler's shutdown, and does not keep the scheduler alive. What was under way with
/// the daemon before is listed as soon as the daemon has told of it; what had ended before is not.
@MainActor @Observable
public final class TransferTracker {
    /// What is under way, and what has ended since the tracker was created, in the order in which they were first heard
    /// of. Work that is tried again keeps its place.
    public private(set) var transfers: [TrackedTransfer] = []

    /// All of them together, without those that have failed or were cancelled.
    public private(set) var totals = TransferTotals()

    /// Whether changes still come.
    public private(set) var isFollowing = true

    @ObservationIgnored private let trail: TransferFeed
    @ObservationIgnored private let tasks = TaskBag()

    /// Begins to follow.
    ///
    /// - Parameters:
    ///   - group: only transfers with this label; `nil` for all.
    ///   - endedLimit: how many ended ones stay in the list; the oldest go first.
    public init(_ scheduler: WorkScheduler, group: String? = nil, endedLimit: Int = 1000) {
        let trail = TransferFeed(scheduler, group: group, endedLimit: max(0, endedLimit))
        let clock = scheduler.configuration.clock
        self.trail = trail
        tasks.add(
            Task { [weak self] in
                while await trail.wait() {
                    let found = await trail.look()
                    if self?.show(found) == nil { return }
                    do { try await clock.sleep(for: .milliseconds(100)) } catch { return }
                }
                if Task.isCancelled { return }
                // What came between the last look and the shutdown.
                let found = await trail.look()
                self?.show(found)
                self?.end()
            })
    }

    /// How many have not ended.
    public var unfinished: Int { transfers.count { $0.outcome == nil } }

    /// Takes those that have ended out of the list.
    public func removeEnded() { show(trail.removeEnded()) }

    /// Ends the following; the list stays as it is.
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
