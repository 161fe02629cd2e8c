import BackgroundWorkModel
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkStorage

/// Deferred writes of a transaction, compared with the result that they must have.
struct DeferredWritesTests {
    private struct Refused: Error {}

    let folder: TemporaryFolder
    let store: StoreScheduler
    let now = WallTime.start

    init() async throws {
        folder = try TemporaryFolder()
        store = try await StoreScheduler(path: folder.path + "/work.sqlite", settings: .inUTC())
        let now = now
        try await store.write { transaction in
            for id in 1...20 { _ = try transaction.enqueue(Self.submission(["a"]), id: "w\(id)", now: now) }
        }
        try await store.end(try await store.claim(), .success)
        let owner = store.owner
        for name in ["one", "two"] { _ = try await store.write { try $0.holdSubscriber(name, owner: owner) } }
    }

    private static func submission(_ tags: Set<String>) -> TaskSubmission {
        TaskSubmission(TaskRequest(workerClassName: "W", tags: tags))
    }

    @Test("acknowledgements of two subscribers in any order leave both cursors at their first gap", arguments: 0..<40)
    func acknowledgements(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var acknowledged: [String: Set<Int64>] = ["one": [], "two": []]
        for _ in 0..<4 {
            // In order mostly, as programs do.
            var steps: [(name: String, sequence: Int64)] = []
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let name = Bool.random(using: &random) ? "one" : "two"
                let start = Int64.random(in: 1...18, using: &random)
                steps += (start...min(20, start + Int64.random(in: 0...9, using: &random))).map { (name, $0) }
            }
            if Bool.random(using: &random) { steps.swapAt(0, Int.random(in: 0..<steps.count, using: &random)) }
            let readAfter = Int.random(in: 0..<steps.count, using: &random)
            let planned = steps
            let read = try await store.write { transaction -> Int64? in
                var read: Int64?
                for (place, step) in planned.enumerated() {
                    try transaction.acknowledge(step.sequence, by: step.name)
                    if place == readAfter { read = try transaction.cursor(of: step.name) }
                }
                return read
            }
            for (place, step) in planned.enumerated() {
                acknowledged[step.name]?.insert(step.sequence)
                if place == readAfter { #expect(read == Self.cursor(acknowledged[step.name])) }
            }
            for (name, sequences) in acknowledged {
                let stored = try await store.write { transaction in
                    (try transaction.cursor(of: name), try transaction.eventPage(after: 0, for: name, limit: 100))
                }
                #expect(stored.0 == Self.cursor(sequences))
                #expect(stored.1.map(\.sequence) == (1...20).filter { !sequences.contains($0) })
            }
        }
    }

    /// The end of the run that begins with the first event.
    private static func cursor(_ acknowledged: Set<Int64>?) -> Int64 {
        var cursor: Int64 = 0
        while acknowledged?.contains(cursor + 1) ?? false { cursor += 1 }
        return cursor
    }

    @Test("no acknowledgement and no tag of a rolled back part remains")
    func undone() async throws {
        let now = now
        try await store.write { transaction in
            try transaction.acknowledge(1, by: "one")
            try transaction.acknowledge(2, by: "one")
            #expect(throws: Refused.self) {
                try transaction.allOrNothing {
                    try transaction.acknowledge(3, by: "one")
                    try transaction.acknowledge(4, by: "one")
                    _ = try transaction.enqueue(Self.submission(["b"]), id: "undone", now: now)
                    throw Refused()
                }
            }
            try transaction.acknowledge(3, by: "one")
            _ = try transaction.enqueue(Self.submission(["b"]), id: "kept", now: now)
        }
        let cursor = try await store.write { try $0.cursor(of: "one") }
        #expect(cursor == 3)
        let tagged = try await store.write { try $0.tagged("b") }
        #expect(tagged.map(\.key.workID) == ["kept"])
    }

    @Test("a tag that an update removes in the transaction that added it is not stored")
    func takenAway() async throws {
        let now = now
        try await store.write { transaction in
            _ = try transaction.enqueue(Self.submission(["old"]), id: "x", now: now)
            let update = TaskSubmission(TaskRequest(workerClassName: "W", tags: ["new"]), policy: .update)
            _ = try transaction.enqueue(update, id: "x", now: now)
        }
        let tagged = try await store.write { (try $0.tagged("old"), try $0.tagged("new")) }
        #expect(tagged.0.isEmpty)
        #expect(tagged.1.map(\.key.workID) == ["x"])
    }

    @Test("of many requests, each with an id in use, a duplicate id or a passed deadline has its own answer")
    func manyRequests() async throws {
        let now = now
        let requests = try [
            ("p1", ["t"]), ("p2", ["t"]), ("w1", ["t"]), ("p3", ["t"]), ("p2", ["u"]), ("c/0.0", ["t"]), ("p4", ["t"]),
        ].map { id, tags in
            PreparedEnqueue(
                try store.store.item(
                    TaskRequest(workerClassName: "W", tags: Set(tags)), .oneTime(delay: .seconds(9)), id: id, now: now),
                id == "p2" ? .replace : .keep, now: now)
        }
        let late = PreparedEnqueue(
            try store.store.item(
                TaskRequest(workerClassName: "W", deadline: now.advanced(byMs: 1).date), .oneTime(), id: "late",
                now: now), .keep, now: now.advanced(byMs: 2))
        try await store.write {
            _ = try $0.enqueue(
                ChainSteps([[TaskRequest(workerClassName: "W")]]), id: "c", policy: .replace, now: now)
        }
        let all = requests + [late]
        let answers = try await store.write { transaction in
            var answers: [String] = []
            try transaction.enqueue(all) { answer in
                switch answer {
                case .success(let answer): answers.append("\(answer)")
                case .failure(let error): answers.append("\(type(of: error))")
                }
            }
            return answers
        }
        #expect(
            answers == [
                "inserted", "inserted", "inserted", "inserted", "inserted", "EnqueueError", "inserted",
                "deadlinePassed",
            ])
        let tagged = try await store.write { (try $0.tagged("t"), try $0.tagged("u")) }
        #expect(Set(tagged.0.map(\.key.workID)) == ["p1", "w1", "p3", "p4"])
        #expect(tagged.1.map(\.key.workID) == ["p2"])
    }
}
