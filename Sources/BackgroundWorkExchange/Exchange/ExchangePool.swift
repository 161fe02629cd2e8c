import BackgroundWorkModel
import BackgroundWorkTransfers
import CBackgroundWorkCurl

/// The running exchanges and their owners. Lives on the network loop's thread.
package final class ExchangePool {
    /// Large reads pay off for a few fast exchanges; for many at once they would only cost memory.
    private static let bufferBytes = 512 << 10
    private static let bufferBytesOfMany = 16 << 10
    private static let few = 8

    package private(set) var multi: CurlMulti?
    package let throttle = Throttle()
    private var owners: [ObjectIdentifier: any ExchangeOwner] = [:]
    private var moved: [ObjectIdentifier: any ExchangeOwner] = [:]
    private var broken: [Exchange] = []
    private var nextStallCheck: SuspendingClock.Instant?

    package init() {}

    /// libcurl, while it has something to wait for.
    package var pollable: CurlMulti? { multi.flatMap { $0.isEmpty ? nil : $0 } }
    /// When the loop must wake although no bytes are moved.
    package var nextDeadline: SuspendingClock.Instant? {
        owners.isEmpty ? nil : [nextStallCheck, throttle.nextDue].compactMap { $0 }.min()
    }
    /// Whether so many run that each gets little memory.
    package var areMany: Bool { owners.count >= Self.few }
    package var bufferBytes: Int { areMany ? Self.bufferBytesOfMany : Self.bufferBytes }

    /// Starts an exchange, which makes its first step at the next iteration. Throws when libcurl is missing.
    ///
    /// - Parameter limit: that of the transfer it belongs to.
    package func begin(
        _ plan: RequestPlan, for owner: any ExchangeOwner & ExchangeHandler, limit: BandwidthLimit? = nil
    ) throws(TransferFailure) -> Exchange {
        let multi = try loadedMulti(for: plan.url)
        var plan = plan
        // Bytes that were read from the network and wait for the limit are copied each time some of them are passed on.
        if throttle.limits(limit), !plan.method.sendsBody {
            plan.bufferBytes = min(plan.bufferBytes, Self.bufferBytesOfMany)
        }
        let exchange = try Exchange(plan, handler: owner, limit: limit, throttle: throttle)
        owners[ObjectIdentifier(exchange)] = owner
        exchange.touched = { [weak self, unowned owner] in self?.moved[ObjectIdentifier(owner)] = owner }
        exchange.wentOn = { [weak self] in self?.checkStalls(by: $0) }
        checkStalls(by: exchange.stallDeadline)
        multi.add(exchange)
        return exchange
    }

    private func checkStalls(by deadline: SuspendingClock.Instant) {
        nextStallCheck = nextStallCheck.map { min($0, deadline) } ?? deadline
    }

    /// Loads libcurl, unless it is loaded. Throws when it is missing.
    package func load(for url: String) throws(TransferFailure) { _ = try loadedMulti(for: url) }

    private func loadedMulti(for url: String) throws(TransferFailure) -> CurlMulti {
        if let multi { return multi }
        let loaded = try CurlMulti.loaded(for: TransferURL(url))
        multi = loaded
        return loaded
    }

    /// Ends an exchange that is no longer needed.
    package func stop(_ exchange: Exchange) {
        guard owners.removeValue(forKey: ObjectIdentifier(exchange)) != nil else { return }
        throttle.forget(exchange)
        multi?.remove(exchange)
    }

    /// Ends an exchange within this iteration, as if libcurl had ended it; its failure holds the reason.
    package func breakOff(_ exchange: Exchange) { broken.append(exchange) }

    /// One iteration of the loop: runs libcurl, and notifies the owners of exchanges that have moved bytes or ended.
    package func turn(now: SuspendingClock.Instant) {
        guard let multi, !multi.isEmpty else {
            // Nobody is left to be notified.
            moved = [:]
            return
        }
        throttle.turn(now: now)
        multi.perform()
        let touched = moved.values
        moved = [:]
        for owner in touched { owner.afterTurn() }
        while let (exchange, code) = multi.nextDone() {
            throttle.forget(exchange)
            if code == CURLE_OK { exchange.checkEnd() }
            owners.removeValue(forKey: ObjectIdentifier(exchange))?.ended(exchange, code: code)
        }
        breakOffStalled(now: now)
        let ended = broken
        broken = []
        for exchange in ended {
            guard let owner = owners.removeValue(forKey: ObjectIdentifier(exchange)) else { continue }
            throttle.forget(exchange)
            multi.remove(exchange)
            owner.ended(exchange, code: CURLE_ABORTED_BY_CALLBACK)
        }
    }

    /// Checks all exchanges only when the first of them may have stalled: moved bytes only postpone that instant.
    private func breakOffStalled(now: SuspendingClock.Instant) {
        guard let check = nextStallCheck, check <= now, let multi else { return }
        nextStallCheck = nil
        // A paused one is checked again when it has gone on.
        for exchange in multi.running where !exchange.isPaused {
            let deadline = exchange.stallDeadline
            if deadline <= now {
                exchange.stall()
                broken.append(exchange)
            } else {
                checkStalls(by: deadline)
            }
        }
    }
}
