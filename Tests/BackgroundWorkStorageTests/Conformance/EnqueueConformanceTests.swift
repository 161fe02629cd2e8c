import BackgroundWorkModel
import Foundation
import Testing

@testable import BackgroundWorkStorage

/// What the store promises about storing requests.
struct EnqueueConformanceTests {
    private let store: StoreUnderTest
    private let scheduler: StoreScheduler

    init() async throws {
        store = try StoreUnderTest()
        scheduler = try await store.scheduler()
    }

    @Test("a request reads back with all its values")
    func readsBack() async throws {
        let request = TaskRequest(
            workerClassName: "W", inputJSON: "{\"a\":\"\\u0000é\"}", constraints: [.network, .charging],
            priority: .high, retryPolicy: .tenSeconds(3), isIdempotent: false, tags: ["t", "u"], queue: "q",
            metadata: ["key": "value"], timeout: .seconds(9), deadline: WallTime.after(.seconds(3600)).date)
        #expect(try await scheduler.enqueue("a", request) == .inserted)
        let (record, claimGroup) = try await scheduler.read { snapshot in
            let record = try #require(try snapshot.record(id: "a"))
            return (record, try snapshot.claimGroup(of: record))
        }
        #expect(record.status == WorkStatus(state: .pending, generation: 1, attempt: 0, deaths: 0))
        #expect(record.inputJSON == request.inputJSON)
        #expect(record.priority == .high)
        #expect(record.retryPolicy == request.retryPolicy)
        #expect(!record.isIdempotent)
        #expect(record.options.tags == ["t", "u"])
        #expect(record.options.metadata == ["key": "value"])
        #expect(record.options.timeoutMs == 9000)
        #expect(record.options.deadline == .after(.seconds(3600)))
        #expect(record.enqueuedAt == .start)
        #expect(record.due == .start)
        #expect(record.owner == nil)
        #expect(claimGroup == ClaimGroup(queue: "q", worker: "W", constraints: [.network, .charging]))
    }

    static let triggers: [(TaskTrigger, Duration)] = [
        (.oneTime(), .zero), (.oneTime(delay: .seconds(5)), .seconds(5)),
        (.exact(WallTime.after(.seconds(7)).date), .seconds(7)), (.exact(WallTime.after(.seconds(-7)).date), .zero),
        (
            .windowed(earliest: WallTime.after(.seconds(3)).date, latest: WallTime.after(.seconds(4)).date),
            .seconds(3)
        ),
        (.periodic(interval: .seconds(60)), .zero),
        (.periodic(interval: .seconds(60), flex: .seconds(20), runImmediately: false), .seconds(40)),
    ]

    @Test("an item is due when its trigger says", arguments: triggers)
    func due(trigger: TaskTrigger, delay: Duration) async throws {
        try await scheduler.enqueue("a", trigger: trigger)
        #expect(try await scheduler.record("a")?.due == .after(delay))
    }

    @Test("a request or a chain whose deadline has passed is rejected, and nothing of it is stored")
    func deadlinePassed() async throws {
        let late = TaskRequest(workerClassName: "W", deadline: WallTime.start.date)
        #expect(try await scheduler.enqueue("a", late) == .deadlinePassed)
        #expect(try await scheduler.enqueue(chain: "c", [[.plain], [late]]) == .deadlinePassed)
        #expect(try await scheduler.ids().isEmpty)
        #expect(try await scheduler.enqueue("c/0.0") == .inserted)
    }

    @Test(
        "ids that differ in their bytes only are different work",
        arguments: [["é", "e\u{301}"], ["a", "a\0b", "a\0"]])
    func bytes(ids: [String]) async throws {
        for (number, id) in ids.enumerated() { try await scheduler.enqueue(id, .input("\(number)")) }
        for (number, id) in ids.enumerated() {
            #expect(try await scheduler.record(id)?.inputJSON == "\(number)")
        }
    }

    @Test(
        "an id that an unfinished chain has, or may give to a member, is rejected for a request",
        arguments: ["c", "c/0.0", "c/1.0", "c/9.9"])
    func takenByChain(id: String) async throws {
        try await scheduler.enqueue(chain: "c", [[.plain], [.plain]])
        for policy in ExistingWorkPolicy.allCases {
            await #expect(throws: EnqueueError.self) { try await scheduler.enqueue(id, policy: policy) }
        }
        #expect(try await scheduler.ids() == ["c/0.0", "c/1.0"])
        #expect(try await scheduler.events().isEmpty)
    }

    @Test("an id of unfinished work is rejected for a chain and for its members", arguments: ["c", "c/1.0"])
    func takenByRequest(id: String) async throws {
        try await scheduler.enqueue(id)
        for policy in ExistingWorkPolicy.allCases {
            await #expect(throws: EnqueueError.self) {
                try await scheduler.enqueue(chain: "c", [[.plain], [.plain]], policy: policy)
            }
        }
        #expect(try await scheduler.ids() == [id])
        #expect(try await scheduler.state(of: id) == .pending)
    }

    @Test("each of many requests has its own answer, in order, and a rejected one does not affect the others")
    func many() async throws {
        try await scheduler.enqueue(chain: "c", [[.plain]])
        try await scheduler.enqueue("old")
        let late = TaskRequest(workerClassName: "W", deadline: WallTime.after(.seconds(1)).date)
        let wanted: [(String, TaskRequest)] = [
            ("a", .plain), ("old", .plain), ("c/0.0", .plain), ("late", late), ("b", .plain), ("a", .plain),
        ]
        let now = WallTime.after(.seconds(1))
        let store = scheduler.store
        let requests = try wanted.map { id, request in
            PreparedEnqueue(try store.item(request, .oneTime(), id: id, now: .start), .keep, now: now)
        }
        let answers = try await scheduler.write { transaction in
            var answers: [WorkTransaction.EnqueueAnswer?] = []
            try transaction.enqueue(requests) { answers.append(try? $0.get()) }
            return answers
        }
        #expect(answers == [.inserted, .kept, nil, .deadlinePassed, .inserted, .kept])
        #expect(try await scheduler.ids() == ["c/0.0", "old", "a", "b"])
    }

    @Test("callers who enqueue at the same time are each answered for themselves")
    func concurrentCallers() async throws {
        let other = try await store.scheduler()
        let schedulers = [scheduler, other]
        let inserted = try await withThrowingTaskGroup(of: WorkTransaction.EnqueueAnswer.self) { group in
            for number in 0..<200 {
                group.addTask { try await schedulers[number % 2].enqueue("w\(number / 4)", policy: .keep) }
            }
            return try await group.reduce(into: 0) { $0 += $1 == .inserted ? 1 : 0 }
        }
        #expect(inserted == 50)
        #expect(Set(try await scheduler.ids()) == Set((0..<50).map { "w\($0)" }))
    }

    @Test("nothing of a part that throws remains; the rest of the transaction is kept")
    func undone() async throws {
        struct Refusal: Error {}
        try await scheduler.enqueue("there", TaskRequest(workerClassName: "W", tags: ["t"]))
        try await scheduler.write { transaction in
            let submission = TaskSubmission(TaskRequest(workerClassName: "W", tags: ["t"]))
            _ = try transaction.enqueue(submission, id: "before", now: .start)
            #expect(throws: Refusal.self) {
                try transaction.allOrNothing {
                    _ = try transaction.enqueue(submission, id: "undone", now: .start)
                    _ = try transaction.enqueue(ChainSteps([[.plain]]), id: "c", policy: .keep, now: .start)
                    _ = try transaction.cancel(id: "there", now: .start)
                    _ = try transaction.pause(queue: "default", now: .start)
                    throw Refusal()
                }
            }
            _ = try transaction.enqueue(submission, id: "after", now: .start)
        }
        #expect(try await scheduler.ids() == ["there", "before", "after"])
        #expect(try await scheduler.state(of: "there") == .pending)
        #expect(try await scheduler.ids(WorkQuery(tags: ["t"])) == ["there", "before", "after"])
        #expect(try await scheduler.events().isEmpty)
        #expect(scheduler.newest.events.isEmpty)
        #expect(try await scheduler.claim().map(\.record.id) == ["there", "before", "after"])
    }

    @Test("a verb that throws its own error leaves the others of its transaction alone")
    func isolation() async throws {
        struct Refusal: Error {}
        let scheduler = scheduler
        let refused = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<60 {
                group.addTask {
                    do {
                        if number.isMultiple(of: 3) { try await scheduler.write { _ in throw Refusal() } }
                        try await scheduler.enqueue("w\(number)")
                        return false
                    } catch is Refusal {
                        return true
                    }
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(refused == 20)
        #expect(try await scheduler.ids().count == 40)
    }

    @Test("work stored by one scheduler is available to the next, in the same store")
    func durable() async throws {
        try await scheduler.enqueue("a", .input("1"))
        let next = try await store.scheduler()
        #expect(next.store.identity == scheduler.store.identity)
        #expect(try await next.record("a") == scheduler.record("a"))
        let other = try await StoreUnderTest().scheduler()
        #expect(other.store.identity != scheduler.store.identity)
    }
}
