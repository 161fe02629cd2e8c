import BackgroundWorkModel
import BackgroundWorkStorage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension WorkScheduler {
    /// Stores a request to be run when its trigger says so. Durable when it returns.
    ///
    /// Throws ``EnqueueError`` for what cannot be accepted, and the database's error when it could not be written;
    /// nothing was stored then.
    ///
    /// - Parameters:
    ///   - id: names the work: at most one unfinished piece bears it. Made up when left out.
    ///   - policy: what happens when unfinished work with this id is there.
    @discardableResult
    public func enqueue(
        _ request: TaskRequest, id: String? = nil, trigger: TaskTrigger = .oneTime(),
        policy: ExistingWorkPolicy = .replace
    ) async throws -> ScheduleResult {
        try RequestRules.check(request)
        let delay = try RequestRules.delayMs(of: trigger)
        return try await enqueue(id: id) { transaction, id, now in
            try transaction.enqueue(request, id: id, due: now.advanced(byMs: delay), policy: policy, now: now)
        }
    }

    /// Begins a chain with one request.
    public func beginWith(_ request: TaskRequest) -> TaskChain { TaskChain(scheduler: self, first: [request]) }

    /// Begins a chain with requests that run in parallel.
    public func beginWith(_ requests: [TaskRequest]) -> TaskChain { TaskChain(scheduler: self, first: requests) }

    func enqueue(_ chain: ChainSteps, id: String?, policy: ExistingWorkPolicy) async throws -> ScheduleResult {
        try RequestRules.check(chain, id: id)
        return try await enqueue(id: id) { transaction, id, now in
            try transaction.enqueue(chain, id: id, policy: policy, now: now)
        }
    }

    private func enqueue(
        id: String?,
        _ body: @escaping @Sendable (WorkTransaction, String, WallTime) throws -> WorkTransaction.EnqueueAnswer
    ) async throws -> ScheduleResult {
        if let id { try RequestRules.check(id: id) }
        let id = id ?? UUID().uuidString.lowercased()
        var waits = 0
        while true {
            if lifecycle.isShutDown { throw EnqueueError.shuttingDown }
            let now = WallTime(configuration.clock.now)
            switch try await store.write({ try body($0, id, now) }) {
            case .inserted: return .accepted(id: id)
            case .kept: return .keptExisting(id: id)
            case .mustWait:
                // A rename away from finishing, here or in another process.
                waits += 1
                try await configuration.clock.sleep(for: .milliseconds(min(500, 5 << min(waits, 7))))
            }
        }
    }
}
