import BackgroundWorkModel
import BackgroundWorkTransfers
import Synchronization

/// Processes the daemon's outcomes, each in its own task, and tries again when that fails.
final class OutcomeIntake: Sendable {
    private let completion: TransferCompletion
    private let clock: any WorkClock
    private let notices: NoticeLog
    private let deliveries = WorkInProgress()
    /// Outcomes of which it is not known yet where their items stand.
    private let arrivals = WorkInProgress()
    private let isFinished = Atomic(false)
    /// How many tries others wait for: over about 25 seconds.
    private static let patience = 8
    /// Between two tries.
    private static let longestWait = Duration.seconds(60)

    init(completion: TransferCompletion, clock: any WorkClock, notices: NoticeLog) {
        self.completion = completion
        self.clock = clock
        self.notices = notices
    }

    /// - Parameters:
    ///   - tried: called after each try, whether or not the daemon has got the acknowledgement; the item may have
    ///   ended.
    ///   - released: called after the eighth try in vain: nothing should wait for it any more.
    ///   - ended: called when no further try follows.
    func receive(
        _ outcome: TransferOutcome, tried: @escaping @Sendable () async -> Void = {},
        released: @escaping @Sendable () -> Void = {}, ended: @escaping @Sendable () -> Void = {}
    ) {
        deliveries.begin()
        let arrival = Arrival(tracker: arrivals)
        Task {
            await process(outcome, arrival, tried: tried, released: released)
            arrival.end()
            ended()
            deliveries.end()
        }
    }

    /// Returns when every outcome that has come has taken its item out of the queue.
    func waitUntilStandingsAreKnown() async { await arrivals.waitUntilIdle() }

    /// Waits for the outcomes that are being processed, for at most `gracePeriod`. What does not end in time is
    /// delivered again to the next process.
    func finish(gracePeriod: Duration) async {
        isFinished.store(true, ordering: .releasing)
        let (deliveries, clock) = (deliveries, clock)
        let alarm = Task {
            do { try await clock.sleep(for: gracePeriod) } catch { return }
            deliveries.releaseWaiters()
        }
        await deliveries.waitUntilIdle()
        alarm.cancel()
    }

    private func process(
        _ outcome: TransferOutcome, _ arrival: Arrival, tried: @Sendable () async -> Void,
        released: @Sendable () -> Void
    ) async {
        var failures = 0
        while true {
            do {
                try await completion.process(outcome, attempt: failures + 1, standingKnown: arrival.end)
                await tried()
                return
            } catch is CancellationError {
                return
            } catch {
                failures += 1
                arrival.end()
                await tried()
                if failures == 1 {
                    notices.add(
                        .deliveryFailure,
                        "The outcome of \(outcome.reference) could not be processed; this is retried: \(error)")
                }
                if failures == Self.patience { released() }
                // Not left to the daemon: that delivers it again on the next connection only, which may never come.
                if isFinished.load(ordering: .acquiring) { return }
                do {
                    try await clock.sleep(for: min(.milliseconds(100 << min(failures, 16)), Self.longestWait))
                } catch {
                    return
                }
            }
        }
    }
}
