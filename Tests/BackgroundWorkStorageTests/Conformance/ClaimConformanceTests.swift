import BackgroundWorkModel
import Foundation
import Testing

@testable import BackgroundWorkStorage

/// What the store promises about who gets which work, and in which order.
struct ClaimConformanceTests {
    private let store: StoreUnderTest
    private let scheduler: StoreScheduler

    init() async throws {
        store = try StoreUnderTest()
        scheduler = try await store.scheduler()
    }

    private func enqueue(_ id: String, _ priority: WorkPriority = .normal, due: Duration = .zero) async throws {
        try await scheduler.enqueue(
            id, TaskRequest(workerClassName: "W", priority: priority), trigger: .oneTime(delay: due))
    }

    @Test("work is claimed by priority, then by its due time, then in the order of enqueueing")
    func order() async throws {
        try await enqueue("late", due: .seconds(8))
        try await enqueue("early", due: .seconds(4))
        try await enqueue("early too", due: .seconds(4))
        try await enqueue("low", .low)
        try await enqueue("high", .high, due: .seconds(9))
        try await enqueue("critical", .critical, due: .seconds(10))
        let ids = ["critical", "high", "early", "early too", "late", "low"]
        var claimed: [String] = []
        // In parts as well as at once.
        for limit in [1, 2, 100] {
            claimed += try await scheduler.claim(limit: limit, at: .after(.seconds(10))).map(\.record.id)
        }
        #expect(claimed == ids)
    }

    @Test("nothing is claimed before it is due, and the claim says when that is")
    func due() async throws {
        try await enqueue("b", due: .seconds(9))
        try await enqueue("a", .low, due: .seconds(5))
        let early = try await scheduler.look(scheduler.rules(at: .after(.milliseconds(4999))))
        #expect(early.claimed.isEmpty)
        #expect(early.claim?.nextClaim == .after(.seconds(5)))
        let onTime = try await scheduler.look(scheduler.rules(at: .after(.seconds(5))))
        #expect(onTime.claimed.map(\.record.id) == ["a"])
        #expect(onTime.claim?.nextClaim == .after(.seconds(9)))
    }

    @Test("the part of a claim that is chosen by age takes the longest due work, whatever its priority")
    func reservedForOldest() async throws {
        for number in 1...4 { try await enqueue("urgent \(number)", .critical, due: .seconds(2)) }
        for number in 1...2 { try await enqueue("old \(number)", .low, due: .seconds(1)) }
        let now = WallTime.after(.seconds(3))
        let rules = scheduler.rules(limit: 3, at: now) { $0.reservedForOldest = 1 }
        #expect(Set(try await scheduler.look(rules).claimed.map(\.record.id)) == ["old 1", "urgent 1", "urgent 2"])
        #expect(try await scheduler.claim(limit: 2, at: now).map(\.record.id) == ["urgent 3", "urgent 4"])
    }

    @Test("a claim counts the attempt, and returns what its run needs")
    func claimed() async throws {
        let request = TaskRequest(
            workerClassName: "W", inputJSON: "1", retryPolicy: .tenSeconds(), tags: ["t"], queue: "q",
            metadata: ["k": "v"])
        try await scheduler.enqueue("a", request)
        let work = try await scheduler.claimOne(at: .after(.seconds(1)))
        #expect(work.record.status == WorkStatus(state: .running, generation: 1, attempt: 1, deaths: 0))
        #expect(work.record.inputJSON == "1")
        #expect(work.record.retryPolicy == .tenSeconds())
        #expect(work.record.options.tags == ["t"])
        #expect(work.record.options.metadata == ["k": "v"])
        #expect(work.record.startedAt == .after(.seconds(1)))
        #expect(work.claimGroup == ClaimGroup(queue: "q", worker: "W", constraints: []))
        #expect(work.previousOutputs.isEmpty)
        let stored = try #require(try await scheduler.record("a"))
        #expect(stored.status == work.record.status)
        #expect(stored.owner == scheduler.owner)
        #expect(stored.startedAt == .after(.seconds(1)))
    }

    @Test("schedulers that claim at the same time share the work, and none of it twice")
    func shared() async throws {
        let other = try await store.scheduler()
        for number in 0..<40 { try await enqueue("w\(number)") }
        var claimed: [[String]] = [[], []]
        for _ in 0..<4 {
            async let mine = scheduler.claim(limit: 5)
            async let others = other.claim(limit: 5)
            let both = try await (mine, others)
            claimed[0] += both.0.map(\.record.id)
            claimed[1] += both.1.map(\.record.id)
        }
        #expect(claimed.map(\.count) == [20, 20])
        #expect(Set(claimed.joined()).count == 40)
    }

    @Test("work waits for the conditions of the device that it needs, and does not delay other work")
    func conditions() async throws {
        let needs: [(String, Constraints)] = [
            ("network", .network), ("charging", [.network, .charging]), ("none", []),
        ]
        for (id, constraints) in needs {
            try await scheduler.enqueue(id, TaskRequest(workerClassName: "W", constraints: constraints))
        }
        let onNetwork = try await scheduler.look(scheduler.rules { $0.device = DeviceState(satisfied: .network) })
        #expect(onNetwork.claimed.map(\.record.id) == ["network", "none"])
        #expect(onNetwork.claim?.missing == .charging)
        let charging = try await scheduler.look(
            scheduler.rules { $0.device = DeviceState(satisfied: [.network, .charging]) })
        #expect(charging.claimed.map(\.record.id) == ["charging"])
        #expect(charging.claim?.missing == [])
    }

    @Test("a scheduler may leave the work of workers that it does not have, however urgent")
    func onlyWorkers() async throws {
        try await scheduler.enqueue("other", TaskRequest(workerClassName: "Other", priority: .critical))
        try await enqueue("own")
        let rules = scheduler.rules { $0.limits.onlyWorkers = ["W"] }
        #expect(try await scheduler.look(rules).claimed.map(\.record.id) == ["own"])
        #expect(try await scheduler.state(of: "other") == .pending)
    }

    @Test("a paused queue starts no work in any scheduler until it is resumed; running work continues")
    func pausedQueue() async throws {
        let other = try await store.scheduler()
        for id in ["runs", "waits"] { try await scheduler.enqueue(id, TaskRequest(workerClassName: "W", queue: "q")) }
        try await enqueue("free")
        #expect(try await scheduler.claim(limit: 1).map(\.record.id) == ["runs"])
        #expect(try await scheduler.write { try $0.pause(queue: "q", now: .start) })
        #expect(scheduler.newest.pausedQueues == ["q"])
        #expect(try await !scheduler.write { try $0.pause(queue: "q", now: .start) })
        #expect(try await other.claim().map(\.record.id) == ["free"])
        #expect(try await scheduler.claim().isEmpty)
        #expect(try await other.read { try $0.pausedQueues() } == ["q"])
        #expect(try await scheduler.state(of: "runs") == .running)
        #expect(try await other.write { try $0.resume(queue: "q") })
        #expect(try await !other.write { try $0.resume(queue: "q") })
        #expect(try await scheduler.claim().map(\.record.id) == ["waits"])
    }

    @Test("work that must not run twice is claimed for a free slot only, and nothing is claimed past it")
    func nonIdempotent() async throws {
        try await enqueue("first")
        try await scheduler.enqueue("once", TaskRequest(workerClassName: "W", isIdempotent: false))
        try await enqueue("last")
        let oneSlot = scheduler.rules { $0.freeSlots = 1 }
        #expect(try await scheduler.look(oneSlot).claimed.map(\.record.id) == ["first"])
        #expect(try await scheduler.look(oneSlot).claimed.map(\.record.id) == ["once", "last"])
    }

    @Test("work whose process has died twice waits until nothing runs, and then runs alone, before all else")
    func suspect() async throws {
        try await scheduler.enqueue("suspect", TaskRequest(workerClassName: "W", priority: .low))
        for _ in 0..<2 {
            let doomed = try await store.scheduler()
            _ = try await doomed.claimOne()
            let owner = try #require(try await scheduler.read { try $0.owners().last })
            try await scheduler.write { _ = try $0.reclaim(from: owner, after: OwnerEnd(.killed, nil), now: .start) }
        }
        #expect(try await scheduler.record("suspect")?.status.deaths == 2)
        try await enqueue("urgent", .critical)
        let busy = try await scheduler.look(scheduler.rules { $0.isIdle = false })
        #expect(busy.claimed.isEmpty)
        #expect(busy.claim?.suspectIsDue == true)
        #expect(try await scheduler.claim().map(\.record.id) == ["suspect"])
        #expect(try await scheduler.claim().map(\.record.id) == ["urgent"])
    }

    @Test("the transaction that stores work claims it if a slot is free, after work that waits already")
    func atOnce() async throws {
        try await enqueue("waits")
        try await scheduler.claiming(scheduler.rules(limit: 1)) { try await enqueue("new") }
        #expect(scheduler.newest.claimed.map(\.record.id) == ["waits"])
        _ = try await scheduler.claim()
        try await scheduler.claiming(scheduler.rules()) { try await enqueue("at once") }
        #expect(scheduler.newest.claimed.map(\.record.id) == ["at once"])
        #expect(try await scheduler.state(of: "at once") == .running)
        try await scheduler.claiming(scheduler.rules()) { try await enqueue("later", due: .seconds(1)) }
        #expect(scheduler.newest.claimed.isEmpty)
    }

    @Test("what a transaction both stores and cancels is not claimed by it")
    func cancelledAtOnce() async throws {
        // A claim pass that finds nothing, so that new work starts without a row in the queue.
        _ = try await scheduler.claim()
        try await scheduler.claiming(scheduler.rules()) {
            try await scheduler.write { transaction in
                _ = try transaction.enqueue(TaskSubmission(.plain), id: "a", now: .start)
                _ = try transaction.cancel(id: "a", now: .start)
            }
        }
        #expect(scheduler.newest.claimed.isEmpty)
        #expect(try await scheduler.state(of: "a") == .cancelled)
        #expect(try await scheduler.claim().isEmpty)
    }

    @Test("only waiting work can be made due manually")
    func madeDue() async throws {
        try await enqueue("a", due: .seconds(3600))
        #expect(try await scheduler.write { try $0.makeDue(id: "a", now: .start) })
        #expect(try await scheduler.claim().map(\.record.id) == ["a"])
        #expect(try await !scheduler.write { try $0.makeDue(id: "a", now: .start) })
        #expect(try await !scheduler.write { try $0.makeDue(id: "nobody", now: .start) })
    }
}
