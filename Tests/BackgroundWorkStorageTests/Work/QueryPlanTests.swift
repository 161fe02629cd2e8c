import BackgroundWorkModel
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkStorage

/// How SQLite goes about the statements of the verbs.
struct QueryPlanTests {
    @Test("no statement of enqueueing, claiming and finishing scans the work table")
    func plans() async throws {
        let folder = try TemporaryFolder()
        let store = try await StoreScheduler(path: folder.path + "/work.sqlite", settings: .inUTC())
        let now = WallTime.start
        let request = TaskRequest(workerClassName: "W", tags: ["t"])
        let rules = store.rules(limit: 10) {
            $0.reservedForOldest = 1
            $0.limits = WorkLimits(
                workers: ["W": 5],
                queues: ["q": QueueLimits(maximumConcurrent: 1, rate: RateLimit(1, per: .seconds(1)))])
        }
        try await store.enqueue("single")
        _ = try await store.write { transaction in
            _ = try transaction.enqueue(
                TaskSubmission(
                    TaskRequest(
                        workerClassName: "W", priority: .high, queue: "q", deadline: now.date.addingTimeInterval(9)),
                    trigger: .periodic(interval: .seconds(1))), id: "p", now: now)
            return try transaction.enqueue(
                ChainSteps([[request, request], [request]]), id: "c", policy: .replace, now: now)
        }
        for work in try await store.look(rules).claimed {
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
}
