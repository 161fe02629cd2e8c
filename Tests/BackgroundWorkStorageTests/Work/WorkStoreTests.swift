import BackgroundWorkFiles
import BackgroundWorkModel
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkStorage

struct WorkStoreTests {
    let folder: TemporaryFolder
    let now = WallTime(milliseconds: 1_000_000)
    var path: String { folder.path + "/work.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    func open(retaining: Int = 1000) throws -> ClaimingStore { try ClaimingStore(path: path, retaining: retaining) }

    func enqueue(_ store: ClaimingStore, _ id: String, due: Int64 = 0, priority: WorkPriority = .normal) async throws {
        let now = now
        _ = try await store.write {
            try $0.enqueue(
                TaskSubmission(
                    TaskRequest(workerClassName: "W", priority: priority),
                    trigger: .exact(now.advanced(byMs: due).date)),
                id: id, now: now.advanced(byMs: min(0, due)))
        }
    }

    func claim(_ store: ClaimingStore, limit: Int = 100) async throws -> [ClaimedWork] {
        try await store.claim(ClaimRules(limit: limit, owner: 1, now: now)).claimed
    }

    @Test("work is claimed by priority, then by the time it fell due, then in order")
    func claimOrder() async throws {
        let store = try open()
        try await enqueue(store, "late", due: -1)
        try await enqueue(store, "early", due: -5)
        try await enqueue(store, "early2", due: -5)
        try await enqueue(store, "low", due: -9, priority: .low)
        try await enqueue(store, "critical", priority: .critical)
        try await enqueue(store, "future", due: 1, priority: .critical)
        let ids = try await claim(store).map(\.record.id)
        #expect(ids == ["critical", "early", "early2", "late", "low"])
        #expect(try await claim(store).isEmpty)
    }

    @Test("a claim says when the next item falls due")
    func nextDue() async throws {
        let store = try open()
        try await enqueue(store, "b", due: 9000)
        try await enqueue(store, "a", due: 5000, priority: .low)
        let now = now
        let claim = try await store.claim(ClaimRules(limit: 1, owner: 1, now: now))
        #expect(claim.claimed.isEmpty)
        #expect(claim.claim?.nextLook == now.advanced(byMs: 5000))
    }

    @Test("no statement of enqueueing, claiming and finishing scans the work table")
    func plans() async throws {
        let store = try open()
        let now = now
        let request = TaskRequest(workerClassName: "W", tags: ["t"])
        var limited = ClaimRules(limit: 10, reservedForOldest: 1, owner: 1, now: now)
        limited.limits = WorkLimits(
            workers: ["W": 5], queues: ["q": QueueLimits(maximumConcurrent: 1, rate: RateLimit(1, per: .seconds(1)))])
        try await enqueue(store, "single")
        let rules = limited
        _ = try await store.write { transaction in
            _ = try transaction.enqueue(
                TaskSubmission(
                    TaskRequest(
                        workerClassName: "W", priority: .high, queue: "q", deadline: now.date.addingTimeInterval(9)),
                    trigger: .periodic(interval: .seconds(1))), id: "p", now: now)
            return try transaction.enqueue(
                ChainSteps([[request, request], [request]]), id: "c", policy: .replace, now: now)
        }
        for work in try await store.claim(rules).claimed {
            _ = try await store.write { transaction in
                try transaction.apply(.workerFinished(.succeeded), to: work.record.transferKey, now: now)
            }
        }
        _ = try await store.write { transaction in
            _ = try transaction.cancel(id: "c", now: now)
            return try transaction.nextDueByNeeds()
        }
        let plans = try await store.write { transaction -> [String] in
            let statements = transaction.connection.preparedStatements.filter {
                !$0.hasPrefix("BEGIN") && !$0.hasPrefix("COMMIT") && !$0.hasPrefix("EXPLAIN")
            }
            var plans: [String] = []
            for statement in statements {
                try transaction.connection.rows("EXPLAIN QUERY PLAN " + statement) {
                    plans.append("\($0.text(3)) -- \(statement)")
                }
            }
            return plans
        }
        // Tables that hold only what runs, or is special, are small whatever waits.
        let large = ["work", "w", "c", "due", "d", "events", "e", "n", "i", "items", "steps", "s", "members", "m"]
        let scans = plans.filter { plan in
            large.contains { plan.hasPrefix("SCAN \($0) ") } && !plan.contains("LIMIT 1) ,")
                && !plan.contains("SELECT (SELECT 1 FROM")
        }
        #expect(plans.count > 30)
        #expect(scans.isEmpty, "\(scans)")
    }

    @Test("a step is released when the whole one before has succeeded, with its outputs in order")
    func chainRelease() async throws {
        let store = try open()
        let request = TaskRequest(workerClassName: "W")
        let now = now
        _ = try await store.write {
            try $0.enqueue(ChainSteps([[request, request], [request]]), id: "c", policy: .replace, now: now)
        }
        let first = try await claim(store)
        #expect(first.map(\.record.id) == ["c/0.0", "c/0.1"])
        for (work, output) in zip(first.reversed(), ["\"second\"", "\"first\""]) {
            #expect(try await claim(store).isEmpty)
            _ = try await store.write {
                try $0.apply(
                    .workerFinished(.succeeded), to: work.record.transferKey, .init(outputJSON: output), now: now)
            }
        }
        let second = try await claim(store)
        #expect(second.map(\.record.id) == ["c/1.0"])
        #expect(second.first?.previousOutputs == ["\"first\"", "\"second\""])
    }

    @Test("a failed step fails what depends on it, each with its own event")
    func chainFailure() async throws {
        let store = try open()
        let request = TaskRequest(workerClassName: "W")
        let now = now
        _ = try await store.write {
            try $0.enqueue(ChainSteps([[request], [request], [request]]), id: "c", policy: .replace, now: now)
        }
        let first = try #require(try await claim(store).first)
        let events = try await store.write { transaction in
            _ = try transaction.apply(
                .workerFinished(.failed), to: first.record.transferKey, .init(message: "no such host"), now: now)
            return transaction.summary.events
        }
        #expect(events.map(\.workID) == ["c/0.0", "c/1.0", "c/2.0"])
        #expect(events.allSatisfy { $0.outcome == .failed })
        #expect(events.last?.message?.contains("c/0.0") == true)
    }

    @Test("keep leaves unfinished work, replace ends it with an event and takes a new generation")
    func existingWork() async throws {
        let store = try open()
        try await enqueue(store, "a")
        let now = now
        let request = TaskRequest(workerClassName: "Other")
        let kept = try await store.write {
            try $0.enqueue(TaskSubmission(request, policy: .keep), id: "a", now: now)
        }
        #expect(kept == .kept)
        let (answer, events) = try await store.write { transaction in
            let answer = try transaction.enqueue(TaskSubmission(request), id: "a", now: now)
            return (answer, transaction.summary.events)
        }
        #expect(answer == .inserted)
        #expect(events.map(\.outcome) == [.cancelled])
        let record = try await store.write { try $0.record(id: "a") }
        #expect(record?.workerName == "Other")
        #expect(record?.status.generation == 2)
    }

    @Test("an id that is a chain's, or a member's, is not given to a single request")
    func takenIDs() async throws {
        let store = try open()
        let request = TaskRequest(workerClassName: "W")
        let now = now
        _ = try await store.write {
            try $0.enqueue(ChainSteps([[request]]), id: "c", policy: .replace, now: now)
        }
        for id in ["c", "c/0.0"] {
            await #expect(throws: EnqueueError.self) {
                try await store.write { try $0.enqueue(TaskSubmission(request), id: id, now: now) }
            }
        }
    }

    @Test("events and finished work are kept up to the limit, and a reused id still takes a new generation")
    func retention() async throws {
        let store = try open(retaining: 10)
        let now = now
        for round in 0..<600 {
            try await enqueue(store, "w\(round)")
            let work = try #require(try await claim(store).first)
            _ = try await store.write {
                try $0.apply(.workerFinished(.succeeded), to: work.record.transferKey, now: now)
            }
        }
        let (oldest, first, page) = try await store.write {
            (try $0.record(id: "w0"), try $0.record(id: "w599"), try $0.eventPage(after: 0, for: "x", limit: 1))
        }
        #expect(oldest == nil)
        #expect(first != nil)
        // Pruned at the 512th: what came since is there as well.
        #expect(page.first?.sequence == 503)
        #expect(page.first?.missedBefore == 502)
        try await enqueue(store, "w0")
        let reused = try await store.write { try $0.record(id: "w0") }
        #expect((reused?.status.generation ?? 0) > 1)
    }

    @Test("a subscriber's cursor moves only past a contiguous run")
    func cursor() async throws {
        let store = try open()
        let now = now
        for index in 0..<5 {
            try await enqueue(store, "w\(index)")
            let work = try #require(try await claim(store).first)
            _ = try await store.write {
                try $0.apply(.workerFinished(.succeeded), to: work.record.transferKey, now: now)
            }
        }
        func acknowledge(_ sequence: Int64) async throws -> Int64? {
            try await store.write { transaction in
                try transaction.acknowledge(sequence, by: "ui")
                return try transaction.cursor(of: "ui")
            }
        }
        _ = try await store.write { try $0.holdSubscriber("ui", owner: 1) }
        #expect(try await acknowledge(2) == 0)
        #expect(try await acknowledge(4) == 0)
        #expect(try await acknowledge(1) == 2)
        let open = try await store.write { try $0.eventPage(after: 2, for: "ui", limit: 10).map(\.sequence) }
        #expect(open == [3, 5])
        #expect(try await acknowledge(3) == 4)
        #expect(try await acknowledge(3) == 4)
        #expect(try await acknowledge(5) == 5)
    }

    @Test("many writers share commits, and each gets its own answer")
    func groupCommit() async throws {
        let store = try open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<500 { group.addTask { try await self.enqueue(store, "w\(index)") } }
            try await group.waitForAll()
        }
        #expect(try await claim(store, limit: 1000).count == 500)
    }

    @Test("an operation that throws does not disturb those that share its transaction")
    func groupIsolation() async throws {
        struct Refusal: Error {}
        let store = try open()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<100 {
                group.addTask {
                    do {
                        if index.isMultiple(of: 3) { try await store.write { _ in throw Refusal() } }
                        try await self.enqueue(store, "w\(index)")
                        return true
                    } catch is Refusal {
                        return false
                    }
                }
            }
            var stored = 0
            for try await isStored in group where isStored { stored += 1 }
            #expect(stored == 66)
        }
        #expect(try await claim(store, limit: 1000).count == 66)
    }

    @Test("the schema of a later program is refused with both versions, and the file left alone")
    func laterSchema() throws {
        do {
            _ = try open()
            let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
            try connection.execute("PRAGMA user_version = 99")
        }
        let before = try Data(contentsOf: URL(filePath: path))
        let error = #expect(throws: SchemaTooNewError.self) { try open() }
        #expect(error?.found == 99)
        #expect(error?.description.contains("99") == true)
        #expect(error?.description.contains("up to 1") == true)
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    @Test("a file that is no database, or a damaged one, is set aside and a new one begun", arguments: [true, false])
    func damage(isDatabase: Bool) async throws {
        if isDatabase {
            _ = try open()
            let file = try FileHandle(forUpdating: URL(filePath: path))
            try file.seek(toOffset: 4096)
            try file.write(contentsOf: Data(repeating: 0xee, count: 100_000))
            try file.close()
        } else {
            try Data("this is no database, but somebody's text\n".utf8).write(to: URL(filePath: path))
        }
        let before = try Data(contentsOf: URL(filePath: path))
        let store = try open()
        let aside = try #require(store.setAside)
        #expect(aside.hasPrefix(path + ".corrupt-2"))
        #expect(try Data(contentsOf: URL(filePath: aside)) == before)
        try await enqueue(store, "a")
        #expect(try await claim(store).count == 1)
    }
}
