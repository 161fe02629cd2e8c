import BackgroundWorkModel
import Foundation
import Testing

@testable import BackgroundWorkStorage

/// What the store guarantees to readers.
struct InspectionConformanceTests {
    private let store: StoreUnderTest
    private let scheduler: StoreScheduler

    /// Work in many states: `done` and `failed` have ended, `runs` runs, `sent` is handed off; `waits`, `later`, `odd` and
    /// the first member of `c` are pending.
    init() async throws {
        store = try StoreUnderTest()
        scheduler = try await store.scheduler()
        let tagged = TaskRequest(workerClassName: "W", tags: ["t"])
        try await scheduler.enqueue("done", tagged)
        try await scheduler.end(try await scheduler.claimOne(), .output("\"out\""))
        try await scheduler.enqueue("failed", TaskRequest(workerClassName: "V", tags: ["t", "u"], queue: "q"))
        try await scheduler.end(try await scheduler.claimOne(), .failed("as asked"))
        try await scheduler.enqueue("runs", TaskRequest(workerClassName: "W", queue: "q"))
        _ = try await scheduler.claimOne()
        try await scheduler.enqueue("sent", TaskRequest(workerClassName: "Transfer"))
        try await scheduler.end(try await scheduler.claimOne(), .handedOff(message: nil, expiresAfter: nil))
        try await scheduler.enqueue("waits", TaskRequest(workerClassName: "V", tags: ["u"]))
        try await scheduler.enqueue(
            "later", TaskRequest(workerClassName: "W", constraints: .charging), trigger: .oneTime(delay: .seconds(60)))
        try await scheduler.enqueue("odd", TaskRequest(workerClassName: "o\0d'd", tags: ["a\0b"], queue: "\"%_"))
        try await scheduler.enqueue(chain: "c", [[tagged], [.plain]])
    }

    static let all = ["done", "failed", "runs", "sent", "waits", "later", "odd", "c/0.0", "c/1.0"]

    static let queries: [(WorkQuery, [String])] = [
        (WorkQuery(), all),
        (WorkQuery(ids: ["waits", "done", "nobody"]), ["done", "waits"]),
        (WorkQuery(tags: ["t"]), ["done", "failed", "c/0.0"]),
        (WorkQuery(tags: ["t", "u"]), ["done", "failed", "waits", "c/0.0"]),
        (WorkQuery(tags: ["a\0b"]), ["odd"]), (WorkQuery(tags: ["a"]), []),
        (WorkQuery(states: [.succeeded, .failed]), ["done", "failed"]),
        (WorkQuery(states: [.running]), ["runs"]), (WorkQuery(states: [.handedOff, .running]), ["runs", "sent"]),
        (WorkQuery(states: [.pending]), ["waits", "later", "odd", "c/0.0"]), (WorkQuery(states: [.blocked]), ["c/1.0"]),
        (WorkQuery(workerClassNames: ["V"]), ["failed", "waits"]), (WorkQuery(workerClassNames: ["o\0d'd"]), ["odd"]),
        (WorkQuery(queues: ["q"]), ["failed", "runs"]), (WorkQuery(queues: ["\"%_"]), ["odd"]),
        (WorkQuery(chainID: "c"), ["c/0.0", "c/1.0"]), (WorkQuery(chainID: "done"), []),
        (WorkQuery(tags: ["t"], states: [.pending]), ["c/0.0"]),
        (WorkQuery(tags: ["u"], workerClassNames: ["V"], queues: ["q"]), ["failed"]),
        (WorkQuery(limit: 2), ["done", "failed"]), (WorkQuery(limit: 0), []),
    ]

    @Test("a query finds what meets all its conditions, in the order of enqueueing", arguments: queries)
    func query(query: WorkQuery, ids: [String]) async throws {
        #expect(try await scheduler.ids(query) == ids)
    }

    @Test("a query continues behind the last item that it has given", arguments: [1, 2, 4])
    func pages(limit: Int) async throws {
        var query = WorkQuery(limit: limit)
        var found: [String] = []
        while true {
            let asked = query
            let page = try await scheduler.read { try $0.records(matching: asked) }
            if page.isEmpty { break }
            found += page.map(\.id)
            query.after = page.last?.sequence
        }
        #expect(found == Self.all)
    }

    @Test("unfinished work is counted by queue and state, and its workers are listed")
    func counts() async throws {
        let counts = try await scheduler.read { try $0.counts().map { "\($0.queue) \($0.state) \($0.count)" } }
        let summed = counts.sorted()
        #expect(
            summed == [
                "\"%_ pending 1", "default blocked 1", "default handedOff 1", "default pending 1", "default pending 1",
                "default pending 1", "q running 1",
            ])
        #expect(try await scheduler.read { try $0.unfinishedWorkers() } == ["W", "V", "Transfer", "o\0d'd"])
    }

    @Test("a tag tells its items, and whether anything is left to do", arguments: ["t", "u", "a\0b", "nobody"])
    func tags(tag: String) async throws {
        let tagged = try await scheduler.read { try $0.tagged(tag) }
        #expect(tagged.map(\.key.workID) == (try await scheduler.ids(WorkQuery(tags: [tag]))))
        let standing = try await scheduler.read { try $0.standing(ofTag: tag) }
        #expect(standing == (tag == "nobody" ? .unknown : .unfinished))
        try await scheduler.write { _ = try $0.cancel(.tag(tag), after: 0, limit: 100, now: .start) }
        let after = try await scheduler.read { try $0.standing(ofTag: tag) }
        #expect(after == (tag == "nobody" ? .unknown : .finished))
    }

    @Test("the output of a tagged item is read by itself")
    func outputOfTagged() async throws {
        let outputs = try await scheduler.read { snapshot in
            try snapshot.tagged("t").map { try snapshot.output(of: $0) }
        }
        #expect(outputs == ["\"out\"", nil, nil])
    }

    @Test("the item that has been due for longest is found, whatever its priority")
    func oldestDue() async throws {
        for (id, priority, due) in [("urgent", .critical, 1), ("oldest", .low, -1)] as [(String, WorkPriority, Int)] {
            try await scheduler.enqueue(
                id, TaskRequest(workerClassName: "W", priority: priority), at: .after(.seconds(due)))
        }
        #expect(try await scheduler.read { try $0.oldestDue(now: .after(.seconds(2)))?.id } == "oldest")
        try await scheduler.write { _ = try $0.cancel(.all, after: 0, limit: 100, now: .start) }
        #expect(try await scheduler.read { try $0.oldestDue(now: .after(.seconds(100))) } == nil)
    }

    @Test("for each set of conditions the earliest due time is found, except for paused queues and other workers")
    func nextDue() async throws {
        func next(onlyWorkers: Set<String>? = nil) async throws -> [Constraints: WallTime] {
            try await scheduler.read { try $0.nextDueByNeeds(onlyWorkers: onlyWorkers) }
        }
        let none: [Constraints: WallTime] = [:]
        var expected: [Constraints: WallTime] = [[]: .start, .charging: .after(.seconds(60))]
        #expect(try await next() == expected)
        #expect(try await next(onlyWorkers: ["W"]) == expected)
        #expect(try await next(onlyWorkers: ["Transfer"]) == none)
        try await scheduler.write { _ = try $0.pause(queue: "default", now: .start) }
        expected = [[]: .start]
        #expect(try await next() == expected)
        try await scheduler.write { _ = try $0.pause(queue: "\"%_", now: .start) }
        #expect(try await next() == none)
    }

    @Test("a read sees one consistent moment, and everything committed before it")
    func snapshot() async throws {
        let (scheduler, other) = (scheduler, try await store.scheduler())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for round in 0..<50 {
                    try await scheduler.write { transaction in
                        for part in 0..<2 {
                            let submission = TaskSubmission(TaskRequest(workerClassName: "W", tags: ["pair"]))
                            _ = try transaction.enqueue(submission, id: "\(round).\(part)", now: .start)
                        }
                    }
                }
            }
            group.addTask {
                for _ in 0..<50 {
                    let (first, second) = try await other.read { snapshot in
                        let query = WorkQuery(tags: ["pair"])
                        return (try snapshot.records(matching: query).count, try snapshot.tagged("pair").count)
                    }
                    #expect(first == second)
                    #expect(first.isMultiple(of: 2))
                }
            }
            try await group.waitForAll()
        }
        #expect(try await other.ids(WorkQuery(tags: ["pair"])).count == 100)
    }

    @Test("single values are kept under their names, for all schedulers")
    func meta() async throws {
        #expect(try await scheduler.read { try $0.meta("name") } == nil)
        for value in ["1", "é\0\"", ""] {
            try await scheduler.write { try $0.setMeta("name", value) }
            #expect(try await store.scheduler().read { try $0.meta("name") } == value)
        }
    }
}
