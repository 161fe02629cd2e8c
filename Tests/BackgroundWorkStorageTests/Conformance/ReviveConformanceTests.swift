import BackgroundWorkModel
import Foundation
import Testing

@testable import BackgroundWorkStorage

/// What the store promises about retries by hand.
struct ReviveConformanceTests {
    private let scheduler: StoreScheduler

    init() async throws { scheduler = try await StoreUnderTest().scheduler() }

    static let answers: [(WorkState, WorkTransaction.ReviveAnswer)] = [
        (.pending, .nothingFailed), (.running, .nothingFailed), (.handedOff, .nothingFailed),
        (.finishing, .nothingFailed), (.succeeded, .nothingFailed), (.failed, .revived(items: 1)),
        (.cancelled, .revived(items: 1)), (.skipped, .revived(items: 1)),
    ]

    @Test("what did not succeed runs again under the next generation, with all its attempts", arguments: answers)
    func states(state: WorkState, answer: WorkTransaction.ReviveAnswer) async throws {
        let id = try await scheduler.item(in: state)
        let before = try await scheduler.record(id)
        let events = try await scheduler.events().count
        #expect(try await scheduler.write { try $0.revive(id: id, now: .after(.seconds(1))) } == answer)
        guard answer == .revived(items: 1) else {
            #expect(try await scheduler.record(id) == before)
            return
        }
        let record = try #require(try await scheduler.record(id))
        #expect(record.status == WorkStatus(state: .pending, generation: 2, attempt: 0, deaths: 0))
        #expect(record.due == .after(.seconds(1)))
        try await scheduler.end(try await scheduler.claimOne(at: .after(.seconds(1))), .success)
        #expect(try await scheduler.events().dropFirst(events).map(\.outcome) == [.succeeded])
    }

    @Test("an unused id is unknown")
    func unknown() async throws {
        #expect(try await scheduler.write { try $0.revive(id: "nobody", now: .start) } == .unknown)
    }

    @Test("in a chain failed work runs again, work that it prevented waits again, and the rest is unchanged")
    func chain() async throws {
        try await scheduler.enqueue(chain: "c", [[.plain, .plain], [.plain], [.plain]])
        let works = try await scheduler.claim()
        try await scheduler.end(works[0], .success)
        try await scheduler.end(works[1], .failed("no luck"))
        #expect(try await scheduler.states(ofChain: "c") == [.succeeded, .failed, .failed, .failed])
        #expect(try await scheduler.write { try $0.revive(id: "c", now: .start) } == .revived(items: 3))
        #expect(try await scheduler.states(ofChain: "c") == [.succeeded, .pending, .blocked, .blocked])
        for id in ["c/0.1", "c/1.0", "c/2.0"] {
            let work = try await scheduler.claimOne()
            #expect(work.record.id == id)
            try await scheduler.end(work, .success)
        }
        #expect(try await scheduler.events().map(\.outcome).filter { $0 == .succeeded }.count == 4)
        #expect(try await scheduler.write { try $0.revive(id: "c", now: .start) } == .nothingFailed)
    }

    @Test("work does not wait again while another predecessor has ended without success")
    func stillHopeless() async throws {
        try await scheduler.enqueue(chain: "c", [[.plain, .plain], [.plain]])
        for work in try await scheduler.claim() { try await scheduler.end(work, .failed("no luck")) }
        #expect(try await scheduler.write { try $0.revive(id: "c/0.0", now: .start) } == .revived(items: 1))
        #expect(try await scheduler.states(ofChain: "c") == [.pending, .failed, .failed])
    }
}
