import BackgroundWorkModel
import Foundation
import Testing

@testable import BackgroundWorkStorage

/// What the store promises about work that is appended to an id.
struct AppendConformanceTests {
    private let scheduler: StoreScheduler

    init() async throws { scheduler = try await StoreUnderTest().scheduler() }

    private func appended(_ id: String) async throws -> Int {
        try await scheduler.read { try $0.appendedCount(id: id) }
    }

    @Test(
        "appended work runs in order, each after the previous one has ended in any way",
        arguments: [RunEnding.success, .failed("as asked"), .finished(.cancelled, message: nil, outputJSON: nil)])
    func order(ending: RunEnding) async throws {
        for number in 1...3 { try await scheduler.enqueue("a", .input("\(number)"), policy: .append) }
        #expect(try await appended("a") == 2)
        for number in 1...3 {
            let work = try await scheduler.claimOne()
            #expect(work.record.inputJSON == "\(number)")
            #expect(work.record.status.generation == Int64(number))
            #expect(try await scheduler.claim().isEmpty)
            try await scheduler.end(work, ending)
        }
        #expect(try await scheduler.claim().isEmpty)
        #expect(try await scheduler.events().count == 3)
    }

    @Test("a chain is followed once all of it has ended")
    func chain() async throws {
        try await scheduler.enqueue(chain: "c", [[.input("1"), .input("2")]])
        #expect(try await scheduler.enqueue(chain: "c", [[.input("3")], [.input("4")]], policy: .append) == .appended)
        let first = try await scheduler.claim()
        try await scheduler.end(first[0], .failed("as asked"))
        #expect(try await appended("c") == 1)
        try await scheduler.end(first[1], .success)
        #expect(try await appended("c") == 0)
        #expect(try await scheduler.states(ofChain: "c") == [.pending, .blocked])
        #expect(try await scheduler.claimOne().record.inputJSON == "3")
    }

    @Test("the cancellation of an id ends what is appended to it, with an event for each request")
    func cancelled() async throws {
        try await scheduler.enqueue("a", TaskRequest(workerClassName: "First"))
        for name in ["Second", "Third"] {
            try await scheduler.enqueue("a", TaskRequest(workerClassName: name), policy: .append)
        }
        #expect(try await scheduler.write { try $0.cancel(id: "a", now: .start) } == .cancelled(items: 3))
        let events = try await scheduler.events()
        #expect(Set(events.map(\.taskName)) == ["First", "Second", "Third"])
        #expect(events.allSatisfy { $0.outcome == .cancelled && $0.workID == "a" })
        #expect(try await appended("a") == 0)
        #expect(try await scheduler.claim().isEmpty)
    }

    @Test("a replacement ends what is appended, too")
    func replaced() async throws {
        for number in 1...2 { try await scheduler.enqueue("a", .input("\(number)"), policy: .append) }
        #expect(try await scheduler.enqueue("a", .input("3"), policy: .replace) == .inserted)
        #expect(try await scheduler.events().map(\.outcome) == [.cancelled, .cancelled])
        #expect(try await scheduler.claimOne().record.inputJSON == "3")
        #expect(try await appended("a") == 0)
    }

    @Test("nothing can be appended to work that recurs, or after appended work that will")
    func recurring() async throws {
        let periodic = TaskTrigger.periodic(interval: .seconds(60))
        try await scheduler.enqueue("p", trigger: periodic)
        await #expect(throws: EnqueueError.cannotAppend(id: "p")) { try await scheduler.enqueue("p", policy: .append) }
        try await scheduler.enqueue("a")
        #expect(try await scheduler.enqueue("a", trigger: periodic, policy: .append) == .appended)
        await #expect(throws: EnqueueError.cannotAppend(id: "a")) { try await scheduler.enqueue("a", policy: .append) }
        #expect(try await appended("a") == 1)
    }

    @Test("appended work that cannot start, because a member's id is in use, fails with an event for each request")
    func memberTaken() async throws {
        try await scheduler.enqueue(chain: "c", [[.plain]])
        // The id is reserved while the chain is unfinished, so the other work has to be there before.
        try await scheduler.end(try await scheduler.claimOne(), .success)
        try await scheduler.enqueue("c/1.0")
        let other = try await scheduler.claimOne()
        try await scheduler.end(other, .failed("as asked"))
        try await scheduler.enqueue(chain: "c", [[.plain]])
        try await scheduler.enqueue(chain: "c", [[.plain], [.plain]], policy: .append)
        #expect(try await scheduler.write { try $0.revive(id: "c/1.0", now: .start) } == .revived(items: 1))
        let before = try await scheduler.events().count
        let member = try #require(try await scheduler.claim().first { $0.record.id == "c/0.0" })
        try await scheduler.end(member, .success)
        let events = try await scheduler.events().dropFirst(before)
        #expect(events.map(\.outcome) == [.succeeded, .failed, .failed])
        #expect(events.map(\.workID) == ["c/0.0", "c/0.0", "c/1.0"])
        #expect(events.last?.message?.contains("c/1.0") == true)
        #expect(try await scheduler.state(of: "c/1.0") == .running)
    }
}
