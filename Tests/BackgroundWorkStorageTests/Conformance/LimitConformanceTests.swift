import BackgroundWorkModel
import Foundation
import Testing

@testable import BackgroundWorkStorage

/// What the store promises about limits of queues and workers.
struct LimitConformanceTests {
    private let scheduler: StoreScheduler
    private let other: StoreScheduler

    init() async throws {
        let store = try StoreUnderTest()
        scheduler = try await store.scheduler()
        other = try await store.scheduler()
        for number in 1...6 {
            try await scheduler.enqueue("w\(number)", TaskRequest(workerClassName: "W", queue: "q"))
        }
        try await scheduler.enqueue("free", TaskRequest(workerClassName: "V", priority: .low, queue: "free"))
    }

    private func claim(
        _ scheduler: StoreScheduler, _ limits: WorkLimits, at now: WallTime = .start
    ) async throws -> (works: [ClaimedWork], summary: CommitSummary) {
        let summary = try await scheduler.look(scheduler.rules(at: now) { $0.limits = limits })
        return (summary.claimed, summary)
    }

    static let limitsOfTwo = [
        WorkLimits(queues: ["q": QueueLimits(maximumConcurrent: 2)]), WorkLimits(workers: ["W": 2]),
        WorkLimits(workers: ["W": 3], queues: ["q": QueueLimits(maximumConcurrent: 2)]),
    ]

    @Test("no more items run at the same time than a limit allows, in all schedulers together", arguments: limitsOfTwo)
    func concurrent(limits: WorkLimits) async throws {
        let first = try await claim(scheduler, limits)
        #expect(first.works.map(\.record.id) == ["w1", "w2", "free"])
        #expect(first.summary.claim?.isHeldBackByLimits == true)
        #expect(try await claim(other, limits).works.isEmpty)
        try await scheduler.end(first.works[0], .success)
        #expect(try await claim(other, limits).works.map(\.record.id) == ["w3"])
        #expect(try await claim(scheduler, limits).works.isEmpty)
        try await scheduler.end(first.works[1], .handedOff(message: nil, expiresAfter: nil))
        #expect(try await claim(scheduler, limits).works.map(\.record.id) == ["w4"])
    }

    @Test("a limit also applies to work that is claimed by the transaction that stores it", arguments: limitsOfTwo)
    func atOnce(limits: WorkLimits) async throws {
        try await scheduler.write { _ = try $0.cancel(.all, after: 0, limit: 100, now: .start) }
        _ = try await claim(scheduler, limits)
        var claimed: [String] = []
        for number in 1...4 {
            try await scheduler.claiming(scheduler.rules { $0.limits = limits }) {
                try await scheduler.enqueue("new \(number)", TaskRequest(workerClassName: "W", queue: "q"))
            }
            claimed += scheduler.newest.claimed.map(\.record.id)
        }
        #expect(claimed == ["new 1", "new 2"])
    }

    @Test("a limit set at run time replaces the configured one for all schedulers, until it is removed")
    func changed() async throws {
        let configured = WorkLimits(workers: ["W": 4], queues: ["q": QueueLimits(maximumConcurrent: 1)])
        #expect(try await claim(scheduler, configured).works.count == 2)
        try await other.write { try $0.setLimits(QueueLimits(maximumConcurrent: 5), ofQueue: "q") }
        let inForce = try await scheduler.read { try $0.limitsInForce(configured) }
        #expect(inForce.queues == ["q": QueueLimits(maximumConcurrent: 5)])
        #expect(inForce.workers == ["W": 4])
        #expect(try await claim(scheduler, configured).works.count == 3)
        try await other.write { try $0.setLimit(5, ofWorker: "W") }
        #expect(try await claim(scheduler, configured).works.count == 1)
        try await other.write { try $0.setLimit(6, ofWorker: "W") }
        try await other.write { try $0.setLimits(nil, ofQueue: "q") }
        #expect(try await claim(scheduler, configured).works.isEmpty)
        try await other.write { try $0.setLimit(nil, ofWorker: "W") }
        #expect(try await scheduler.read { try $0.limitsInForce(configured) } == configured)
    }

    @Test("no more items start within any period than a rate allows, and the claim returns when the next may start")
    func rate() async throws {
        let limits = WorkLimits(queues: ["q": QueueLimits(rate: RateLimit(2, per: .seconds(10)))])
        #expect(try await claim(scheduler, limits).works.map(\.record.id) == ["w1", "w2", "free"])
        let early = try await claim(other, limits, at: .after(.milliseconds(9999)))
        #expect(early.works.isEmpty)
        #expect(early.summary.claim?.nextClaim == .after(.seconds(10)))
        #expect(early.summary.claim?.rateLimited == ["q"])
        let rate = RateLimit(2, per: .seconds(10))
        let standing = try await other.read { try $0.rateStanding("q", rate, now: .after(.seconds(4))) }
        #expect(standing.left == 0)
        #expect(standing.nextAt == .after(.seconds(10)))
        #expect(try await claim(other, limits, at: .after(.seconds(10))).works.map(\.record.id) == ["w3", "w4"])
        #expect(try await claim(other, limits, at: .after(.seconds(19))).works.isEmpty)
        #expect(try await claim(scheduler, limits, at: .after(.seconds(20))).works.map(\.record.id) == ["w5", "w6"])
    }

    @Test("starts count against a rate one by one, each for as long as its period")
    func slidingRate() async throws {
        let limits = WorkLimits(queues: ["q": QueueLimits(rate: RateLimit(2, per: .seconds(10)))])
        func claimOne(at now: WallTime) async throws -> [String] {
            try await scheduler.look(
                scheduler.rules(limit: 1, at: now) {
                    $0.limits = limits
                    $0.limits.onlyWorkers = ["W"]
                }
            ).claimed.map(\.record.id)
        }
        #expect(try await claimOne(at: .start) == ["w1"])
        #expect(try await claimOne(at: .after(.seconds(6))) == ["w2"])
        #expect(try await claimOne(at: .after(.seconds(9))) == [])
        #expect(try await claimOne(at: .after(.seconds(10))) == ["w3"])
        #expect(try await claimOne(at: .after(.seconds(15))) == [])
        #expect(try await claimOne(at: .after(.seconds(16))) == ["w4"])
    }

    @Test("running work is counted by queue, worker and conditions, in all schedulers")
    func running() async throws {
        _ = try await scheduler.claim(limit: 2)
        _ = try await other.claim(limit: 1)
        let running = try await scheduler.read { try $0.runningByClaimGroup() }
        #expect(running.map(\.claimGroup) == [ClaimGroup(queue: "q", worker: "W", constraints: [])])
        #expect(running.map(\.count) == [3])
    }
}
