import BackgroundWorkModel
import Foundation
import Testing

@testable import BackgroundWorkStorage

/// What the store promises about events and those who follow them.
struct EventConformanceTests {
    private let store: StoreUnderTest
    private let scheduler: StoreScheduler

    init() async throws {
        store = try StoreUnderTest()
        scheduler = try await store.scheduler()
    }

    /// Runs as many items to their end.
    private func finish(_ count: Int, named name: String = "w", on other: StoreScheduler? = nil) async throws {
        let scheduler = other ?? scheduler
        for number in 1...count {
            try await scheduler.enqueue("\(name)\(number)")
            try await scheduler.end(try await scheduler.claimOne(), .success)
        }
    }

    private func hold(_ name: String) async throws {
        let owner = scheduler.owner
        _ = try await scheduler.write { try $0.holdSubscriber(name, owner: owner) }
    }

    private func acknowledge(_ sequence: Int64, by name: String = "ui") async throws -> Int64? {
        try await scheduler.write { transaction in
            try transaction.acknowledge(sequence, by: name)
            return try transaction.cursor(of: name)
        }
    }

    private func page(_ name: String = "ui", after sequence: Int64 = 0, limit: Int = 100) async throws -> [Int64] {
        try await scheduler.read { try $0.eventPage(after: sequence, for: name, limit: limit).map(\.sequence) }
    }

    @Test("events are numbered without gaps, in the order of the commits of all schedulers")
    func numbers() async throws {
        let other = try await store.scheduler()
        for round in 1...3 {
            try await finish(1, named: "mine \(round).")
            try await finish(1, named: "other's \(round).", on: other)
        }
        let events = try await scheduler.events()
        #expect(events.map(\.sequence) == Array(1...6))
        #expect(events.map { $0.workID.hasPrefix("mine") } == [true, false, true, false, true, false])
        #expect(try await other.read { try $0.newestEvent() } == 6)
    }

    @Test("events of other schedulers are delivered once, in order, before the own events of the same commit")
    func ofOthers() async throws {
        let other = try await store.scheduler()
        try await finish(2, named: "a", on: other)
        try await scheduler.enqueue("mine")
        let work = try await scheduler.claimOne()
        try await scheduler.end(work, .success)
        #expect(scheduler.newest.eventsOfOthers.map(\.workID) == ["a1", "a2"])
        #expect(scheduler.newest.events.map(\.workID) == ["mine"])
        try await finish(1, named: "b", on: other)
        try await scheduler.write { try $0.readChangesOfOthers() }
        #expect(scheduler.newest.eventsOfOthers.map(\.workID) == ["b1"])
        try await scheduler.write { try $0.readChangesOfOthers() }
        #expect(scheduler.newest.eventsOfOthers.isEmpty)
    }

    @Test("a scheduler does not receive events from before its start")
    func newcomer() async throws {
        try await finish(2)
        let other = try await store.scheduler()
        try await other.write { try $0.readChangesOfOthers() }
        #expect(other.newest.eventsOfOthers.isEmpty)
    }

    @Test("a cursor passes acknowledged events without a gap, in any order of acknowledgement")
    func cursor() async throws {
        try await finish(6)
        try await hold("ui")
        for (sequence, cursor) in [(2, 0), (4, 0), (1, 2), (1, 2), (3, 4), (6, 4), (5, 6), (6, 6)] as [(Int64, Int64)] {
            #expect(try await acknowledge(sequence) == cursor)
        }
    }

    @Test("a page has the unacknowledged events of its subscriber, in order, up to the requested number")
    func pages() async throws {
        try await finish(6)
        try await hold("ui")
        for sequence in [1, 3, 5] as [Int64] { _ = try await acknowledge(sequence) }
        #expect(try await page() == [2, 4, 6])
        #expect(try await page(limit: 2) == [2, 4])
        #expect(try await page(after: 2) == [4, 6])
        #expect(try await page("nobody") == Array(1...6))
    }

    @Test("subscribers do not disturb each other, and an unknown one acknowledges nothing")
    func independent() async throws {
        try await finish(3)
        for name in ["one", "two"] { try await hold(name) }
        _ = try await acknowledge(1, by: "one")
        _ = try await acknowledge(3, by: "two")
        #expect(try await acknowledge(2, by: "nobody") == nil)
        #expect(try await page("one") == [2, 3])
        #expect(try await page("two") == [1, 2])
        #expect(try await page("nobody") == [1, 2, 3])
    }

    @Test("the name of a subscriber has one holder, and only the latest holder releases it")
    func holder() async throws {
        let (mine, others) = (scheduler.owner, try await store.scheduler().owner)
        func holder() async throws -> Int64? { try await scheduler.read { try $0.subscriberHolder("ui") } }
        #expect(try await holder() == nil)
        let first = try await scheduler.write { try $0.holdSubscriber("ui", owner: mine) }
        #expect(try await holder() == mine)
        let second = try await scheduler.write { try $0.holdSubscriber("ui", owner: mine) }
        try await scheduler.write { try $0.releaseSubscriber("ui", owner: mine, hold: first) }
        #expect(try await holder() == mine)
        try await scheduler.write { try $0.releaseSubscriber("ui", owner: others, hold: second) }
        #expect(try await holder() == mine)
        try await scheduler.write { try $0.releaseSubscriber("ui", owner: mine, hold: second) }
        #expect(try await holder() == nil)
        _ = try await scheduler.write { try $0.holdSubscriber("ui", owner: others) }
        #expect(try await holder() == others)
    }

    @Test("a cursor survives its holder, and a removed subscriber starts from the beginning")
    func removed() async throws {
        try await finish(4)
        try await hold("ui")
        for sequence in [1, 3] as [Int64] { _ = try await acknowledge(sequence) }
        try await hold("ui")
        #expect(try await page() == [2, 4])
        try await scheduler.write { try $0.removeSubscriber("ui") }
        #expect(try await scheduler.read { try $0.cursor(of: "ui") } == nil)
        try await hold("ui")
        #expect(try await page() == [1, 2, 3, 4])
    }

    @Test("the history goes from the newest back, page by page, for all or for one id")
    func history() async throws {
        try await finish(3)
        for _ in 1...2 { try await finish(1) }
        func history(_ id: String? = nil, before: Int64? = nil, limit: Int = 100) async throws -> [Int64] {
            try await scheduler.read { try $0.newestEvents(workID: id, before: before, limit: limit).map(\.sequence) }
        }
        #expect(try await history() == [5, 4, 3, 2, 1])
        #expect(try await history(limit: 2) == [5, 4])
        #expect(try await history(before: 4, limit: 2) == [3, 2])
        #expect(try await history("w1") == [5, 4, 1])
        #expect(try await history("w1", before: 5, limit: 1) == [4])
        #expect(try await history("nobody").isEmpty)
    }
}
