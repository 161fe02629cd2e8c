#if os(Linux)
import BackgroundWorkModel
import BackgroundWorkTransfers
import CBackgroundWorkCurl

/// The exchanges under way, and whose they are. Lives on the network loop's thread.
final class ExchangePool {
    /// Large reads pay off for a few fast exchanges; for many at once they would only cost memory.
    private static let bufferBytes = 512 << 10
    private static let bufferBytesOfMany = 16 << 10
    private static let few = 8

    private(set) var multi: CurlMulti?
    let throttle = Throttle()
    private var owners: [ObjectIdentifier: any ExchangeOwner] = [:]
    private var moved: [ObjectIdentifier: any ExchangeOwner] = [:]
    private var broken: [Exchange] = []
    private var nextStallCheck: SuspendingClock.Instant?

    /// libcurl, while it has something to wait for.
    var pollable: CurlMulti? { multi.flatMap { $0.isEmpty ? nil : $0 } }
    /// When the loop must come round although nothing moves.
    var nextDeadline: SuspendingClock.Instant? {
        owners.isEmpty ? nil : [nextStallCheck, throttle.nextDue].compactMap { $0 }.min()
    }
    /// Whether so many run that each has to do with little memory.
    var areMany: Bool { owners.count >= Self.few }
    var bufferBytes: Int { areMany ? Self.bufferBytesOfMany : Self.bufferBytes }

    /// Begins an exchange; nothing of it happens before the next turn. Throws when there is no libcurl.
    ///
    /// - Parameter limit: that of the transfer it belongs to.
    func begin(
        _ plan: RequestPlan, for owner: any ExchangeOwner & ExchangeHandler, limit: RateLimit? = nil
    ) throws(TransferFailure) -> Exchange {
        let multi = try loadedMulti(for: plan)
        var plan = plan
        // What has been read from the network and waits for its time is copied whenever some of it goes on.
        if throttle.limits(limit), !plan.method.sendsBody {
            plan.bufferBytes = min(plan.bufferBytes, Self.bufferBytesOfMany)
        }
        let exchange = try Exchange(plan, handler: owner, limit: limit, throttle: throttle)
        owners[ObjectIdentifier(exchange)] = owner
        exchange.touched = { [weak self, unowned owner] in self?.moved[ObjectIdentifier(owner)] = owner }
        let deadline = exchange.stallDeadline
        nextStallCheck = nextStallCheck.map { min($0, deadline) } ?? deadline
        multi.add(exchange)
        return exchange
    }

    private func loadedMulti(for plan: RequestPlan) throws(TransferFailure) -> CurlMulti {
        if let multi { return multi }
        do {
            let loaded = try CurlMulti()
            multi = loaded
            return loaded
        } catch {
            throw .network("\(error)", TransferURL(plan.url))
        }
    }

    /// Ends an exchange of which nothing more is wanted.
    func stop(_ exchange: Exchange) {
        guard owners.removeValue(forKey: ObjectIdentifier(exchange)) != nil else { return }
        throttle.forget(exchange)
        multi?.remove(exchange)
    }

    /// Ends an exchange within this turn, as if libcurl had; its failure says why.
    func breakOff(_ exchange: Exchange) { broken.append(exchange) }

    /// One turn of the loop: lets libcurl work, and tells whose exchanges have moved or ended.
    func turn(now: SuspendingClock.Instant) {
        guard let multi, !multi.isEmpty else { return }
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

    /// Looks at all exchanges only when the first of them may have stalled: bytes only move that instant on.
    private func breakOffStalled(now: SuspendingClock.Instant) {
        guard let check = nextStallCheck, check <= now, let multi else { return }
        var next: SuspendingClock.Instant?
        for exchange in multi.running where !exchange.isPaused {
            let deadline = exchange.stallDeadline
            if deadline <= now {
                exchange.breakOff(
                    .stalled(milliseconds: exchange.plan.options.stallTimeout.milliseconds, exchange.url))
                broken.append(exchange)
            } else {
                next = next.map { min($0, deadline) } ?? deadline
            }
        }
        // One that waits for the journal just now is looked at in a while.
        nextStallCheck = next ?? now + .seconds(1)
    }
}
#endif
