import BackgroundWorkModel
import Foundation
import Testing

@testable import BackgroundWorkStorage

/// What the store promises about the events and the finished work that it keeps.
struct RetentionConformanceTests {
    private func finish(_ id: String, on scheduler: StoreScheduler, at now: WallTime = .start) async throws {
        try await scheduler.enqueue(id, at: now)
        try await scheduler.end(try await scheduler.claimOne(at: now), .success, at: now)
    }

    @Test("the newest events are kept up to the limit, and the others are removed with their work")
    func count() async throws {
        let scheduler = try await StoreUnderTest(retaining: 3).scheduler()
        for number in 1...5 { try await finish("w\(number)", on: scheduler) }
        try await scheduler.write { try $0.prune(now: .start) }
        #expect(try await scheduler.events().map(\.sequence) == [3, 4, 5])
        #expect(try await scheduler.ids() == ["w3", "w4", "w5"])
        try await finish("w6", on: scheduler)
        #expect(try await scheduler.events().map(\.sequence) == [3, 4, 5, 6])
    }

    @Test("the limit holds by itself as events come, give or take a few hundred")
    func byItself() async throws {
        let scheduler = try await StoreUnderTest(retaining: 10).scheduler()
        for round in 0..<6 {
            for number in 0..<100 { try await scheduler.enqueue("w\(round).\(number)") }
            try await scheduler.end(try await scheduler.claim(), .success)
        }
        let events = try await scheduler.events()
        #expect(events.count < 300)
        #expect(events.last?.sequence == 600)
        #expect(try await scheduler.ids().count == events.count)
    }

    @Test("events older than the limit are removed, except the newest, whose number the next one continues")
    func age() async throws {
        let scheduler = try await StoreUnderTest(ageMs: 60_000).scheduler()
        for number in 1...3 { try await finish("w\(number)", on: scheduler, at: .after(.seconds(30 * number))) }
        try await scheduler.write { try $0.prune(now: .after(.seconds(91))) }
        #expect(try await scheduler.events().map(\.workID) == ["w2", "w3"])
        try await scheduler.write { try $0.prune(now: .after(.seconds(9000))) }
        #expect(try await scheduler.events().map(\.workID) == ["w3"])
        try await finish("w4", on: scheduler, at: .after(.seconds(9001)))
        #expect(try await scheduler.events().map(\.sequence) == [3, 4])
    }

    @Test("a subscriber learns how many events it has missed, and continues with the oldest retained one")
    func missed() async throws {
        let scheduler = try await StoreUnderTest(retaining: 3).scheduler()
        let owner = scheduler.owner
        _ = try await scheduler.write { try $0.holdSubscriber("ui", owner: owner) }
        for number in 1...6 { try await finish("w\(number)", on: scheduler) }
        try await scheduler.write { try $0.acknowledge(1, by: "ui") }
        try await scheduler.write { try $0.prune(now: .start) }
        let page = try await scheduler.read { try $0.eventPage(after: 1, for: "ui", limit: 10) }
        #expect(page.map(\.sequence) == [4, 5, 6])
        #expect(page.map(\.missedBefore) == [2, 0, 0])
        try await scheduler.write { try $0.acknowledge(4, by: "ui") }
        #expect(try await scheduler.read { try $0.cursor(of: "ui") } == 4)
    }

    @Test("an id whose work was removed is used under a generation that it never had", arguments: [1, 4])
    func generations(uses: Int) async throws {
        let scheduler = try await StoreUnderTest(retaining: 1).scheduler()
        for _ in 0..<uses { try await finish("a", on: scheduler) }
        try await finish("other", on: scheduler)
        try await scheduler.write { try $0.prune(now: .start) }
        #expect(try await scheduler.record("a") == nil)
        try await scheduler.enqueue("a")
        let generation = try #require(try await scheduler.record("a")).status.generation
        #expect(generation > Int64(uses))
    }

    @Test("unfinished work stays, and so do all members of an unfinished chain with their outputs")
    func unfinished() async throws {
        let scheduler = try await StoreUnderTest(retaining: 1).scheduler()
        try await scheduler.enqueue(chain: "c", [[.plain], [.plain]])
        try await scheduler.end(try await scheduler.claimOne(), .output("\"kept\""))
        let second = try await scheduler.claimOne()
        try await scheduler.end(second, .stopped(message: nil))
        try await scheduler.enqueue("p", trigger: .periodic(interval: .seconds(60)))
        let periodic = try #require(try await scheduler.claim().first { $0.record.id == "p" })
        try await scheduler.end(periodic, .success)
        let owner = scheduler.owner
        try await scheduler.write { try $0.putBack([second.record.runKey], owner: owner, hasBegun: true, now: .start) }
        for number in 1...3 {
            try await scheduler.enqueue("w\(number)", TaskRequest(workerClassName: "W", priority: .critical))
            let work = try #require(try await scheduler.claim(limit: 1).first)
            #expect(work.record.id == "w\(number)")
            try await scheduler.end(work, .success)
        }
        try await scheduler.write { try $0.prune(now: .start) }
        #expect(try await scheduler.events().map(\.workID) == ["w3"])
        #expect(try await scheduler.ids() == ["c/0.0", "c/1.0", "p", "w3"])
        #expect(try await scheduler.states(ofChain: "c") == [.succeeded, .pending])
        let member = try await scheduler.claimOne()
        #expect(member.previousOutputs == ["\"kept\""])
        try await scheduler.end(member, .success)
        #expect(try await scheduler.state(of: "p") == .pending)
        // Once it has ended, a chain goes as a whole.
        try await finish("last", on: scheduler)
        try await scheduler.write { try $0.prune(now: .start) }
        #expect(try await scheduler.ids() == ["p", "last"])
        #expect(try await scheduler.enqueue(chain: "c", [[.plain]], policy: .keep) == .inserted)
    }
}
