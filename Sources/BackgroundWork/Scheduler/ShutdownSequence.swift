import BackgroundWorkModel
import BackgroundWorkStorage
import Dispatch
import Synchronization

/// The shutdown of a scheduler, on its own thread: it waits with time limits and never for Swift's pool, so that it
/// ends in time.
struct ShutdownSequence: Sendable {
    var scheduler: WorkScheduler
    var gracePeriod: Duration
    /// The part of the grace period that is kept for giving back what did not end.
    private static let longestReserve = Duration.seconds(1)
    /// Owned work is given back even without any grace period; one commit rarely takes longer.
    private static let shortestRelease = DispatchTimeInterval.milliseconds(500)

    func run() {
        let start = DispatchTime.now()
        let grace = gracePeriod.milliseconds
        let reserve = min(grace / 4, Self.longestReserve.milliseconds)
        let forWork = start + .milliseconds(Int(clamping: min(grace - reserve, 86_400_000)))
        let end = start + .milliseconds(Int(clamping: min(grace, 86_400_000)))

        let scheduler = scheduler
        scheduler.followers.cancelAll()
        scheduler.fileTriggers.stop()
        if let suspension = scheduler.suspension {
            let resuming = DispatchGroup()
            resuming.enter()
            Task {
                await suspension.stop()
                resuming.leave()
            }
            _ = resuming.wait(timeout: forWork)
        }
        let working = DispatchGroup()
        working.enter()
        scheduler.runner.stop { working.leave() }
        working.enter()
        let others = Task {
            await scheduler.peers.stop()
            await scheduler.transfers?.finishDeliveries(gracePeriod: .milliseconds(max(0, grace - reserve)))
            working.leave()
        }
        _ = working.wait(timeout: forWork)
        let begun = scheduler.runner.abandon()
        let isReleased = release(begun, until: max(end, .now() + Self.shortestRelease))
        let leaving = DispatchGroup()
        leaving.enter()
        let last = Task {
            await scheduler.wakes?.tellNow()
            // Otherwise the daemon would continue cancelled transfers until the next launch.
            await scheduler.transfers?.drainOutboxToEnd()
            await scheduler.transfers?.shutDown()
            scheduler.wakes?.stop()
            await scheduler.telemetry?.finish()
            leaving.leave()
        }
        scheduler.eventBus.finish()
        scheduler.changes.anythingChanged()
        _ = leaving.wait(timeout: end)
        others.cancel()
        last.cancel()
        scheduler.ownership.close(isReleased: isReleased)
        emptyLog(until: max(end, .now() + Self.shortestRelease))
        scheduler.suspension?.finish()
        // Store and runner hold each other through the relay; only work that still runs keeps them alive now.
        scheduler.relay.disconnect()
    }

    /// Gives back all owned work, together with the owner's registration. False when that was not stored in time: the
    /// process that finds the lock free takes it back then.
    private func release(_ begun: Set<RunKey>, until end: DispatchTime) -> Bool {
        guard let owner = scheduler.ownership.held?.id else { return true }
        let now = WallTime(scheduler.configuration.clock.now)
        let answered = DispatchSemaphore(value: 0)
        let isReleased = Flag()
        let notices = scheduler.notices
        scheduler.store.write({ try $0.release(owner: owner, begun: begun, now: now) }) { error in
            if let error {
                notices.add(
                    .storageFailure,
                    "This process could not give its unfinished work back; the next process takes it back: \(error)"
                )
            } else {
                isReleased.raise()
            }
            answered.signal()
        }
        return answered.wait(timeout: end) == .success && isReleased.isRaised
    }

    /// Secrets that were deleted leave the write-ahead log as well. What remains after the time limit, the next launch
    /// removes.
    private func emptyLog(until end: DispatchTime) {
        let ended = DispatchSemaphore(value: 0)
        scheduler.store.emptyLogAtEnd { ended.signal() }
        _ = ended.wait(timeout: end)
    }

    private final class Flag: Sendable {
        private let value = Atomic(false)
        func raise() { value.store(true, ordering: .releasing) }
        var isRaised: Bool { value.load(ordering: .acquiring) }
    }
}
