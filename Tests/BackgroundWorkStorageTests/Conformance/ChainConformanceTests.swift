import BackgroundWorkModel
import Foundation
import Testing

@testable import BackgroundWorkStorage

/// What the store promises about chains.
struct ChainConformanceTests {
    private let scheduler: StoreScheduler

    init() async throws { scheduler = try await StoreUnderTest().scheduler() }

    /// What each step waits for.
    struct Shape: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var links: [[Int]]
        /// How many requests each step has.
        var width = 1
        /// Without this, the links are not given to the store: each step waits for the one before.
        var isLinked = true

        /// The steps that wait for one, directly or not.
        func after(_ step: Int) -> Set<Int> {
            var found: Set<Int> = []
            for next in links.indices where links[next].contains(where: { $0 == step || found.contains($0) }) {
                found.insert(next)
            }
            return found
        }

        func enqueue(_ id: String, on scheduler: StoreScheduler) async throws {
            let steps = links.map { _ in [TaskRequest](repeating: .plain, count: width) }
            try await scheduler.enqueue(chain: id, steps, links: isLinked ? links : nil)
        }
    }

    static let shapes = [
        Shape(testDescription: "one step", links: [[]], width: 3, isLinked: false),
        Shape(testDescription: "a line", links: [[], [0], [1]], isLinked: false),
        Shape(testDescription: "wide steps", links: [[], [0], [1]], width: 3, isLinked: false),
        Shape(testDescription: "two branches", links: [[], [0], [], [2]]),
        Shape(testDescription: "two branches that join", links: [[], [0], [], [1, 2]], width: 2),
        Shape(testDescription: "a fork that joins", links: [[], [0], [0], [1, 2], [3]]),
    ]

    @Test("each step begins once all of those that it waits for have succeeded", arguments: shapes)
    func release(shape: Shape) async throws {
        try await shape.enqueue("c", on: scheduler)
        var left = shape.links.map { _ in shape.width }
        var begun: Set<Int> = []
        var running: [ClaimedWork] = []
        repeat {
            if let work = running.popLast() {
                try await scheduler.end(work, .success)
                left[work.record.stepIndex] -= 1
            }
            let ready = shape.links.indices.filter { step in
                !begun.contains(step) && shape.links[step].allSatisfy { left[$0] == 0 }
            }
            let works = try await scheduler.claim()
            #expect(Set(works.map(\.record.stepIndex)) == Set(ready))
            #expect(works.count == ready.count * shape.width)
            begun.formUnion(ready)
            running += works
        } while !running.isEmpty
        #expect(begun.count == shape.links.count)
        let states = try await scheduler.states(ofChain: "c")
        #expect(states == Array(repeating: .succeeded, count: shape.links.count * shape.width))
        let events = try await scheduler.events()
        #expect(events.count == states.count)
        #expect(events.allSatisfy { $0.chainID == "c" })
    }

    static let unhappyEnds: [WorkOutcome] = [.failed, .cancelled, .skipped]

    @Test(
        "work that waits for an unsuccessful member ends the same way with the reason; the rest continues",
        arguments: shapes,
        unhappyEnds)
    func failure(shape: Shape, outcome: WorkOutcome) async throws {
        for step in shape.links.indices {
            let chain = "c\(step)"
            try await shape.enqueue(chain, on: scheduler)
            let victim = "\(chain)/\(step).0"
            while true {
                if try await scheduler.state(of: victim) == .pending {
                    if outcome == .cancelled {
                        try await scheduler.write { _ = try $0.cancel(id: victim, now: .start) }
                    } else if outcome == .skipped {
                        try await scheduler.apply(.tooLateToStart, to: try await scheduler.key(of: victim))
                    }
                }
                let works = try await scheduler.claim()
                if works.isEmpty { break }
                for work in works {
                    let fails = work.record.id == victim && outcome == .failed
                    try await scheduler.end(work, fails ? .failed("no luck") : .success)
                }
            }
            let dependents = shape.after(step)
            let members = try await scheduler.read { try $0.records(chainID: chain) }
            for member in members {
                let isTouched = member.id == victim || dependents.contains(member.stepIndex)
                #expect(member.status.state == (isTouched ? WorkState(outcome) : .succeeded), "\(member.id)")
                if dependents.contains(member.stepIndex) { #expect(member.message?.contains(victim) == true) }
            }
            let events = try await scheduler.events().filter { $0.chainID == chain }
            #expect(events.count == members.count)
            #expect(Set(events.map(\.workID)) == Set(members.map(\.id)))
        }
    }

    @Test("a step finds the outputs of the one before by their places, whichever ended first")
    func outputs() async throws {
        try await scheduler.enqueue(chain: "c", [[.plain, .plain, .plain], [.plain]])
        for work in try await scheduler.claim().reversed() {
            let ending: RunEnding = work.record.position == 1 ? .success : .output("\"\(work.record.id)\"")
            try await scheduler.end(work, ending)
        }
        let join = try await scheduler.claimOne()
        #expect(join.previousOutputs == ["\"c/0.0\"", "\"c/0.2\""])
        let record = join.record
        let found = try await scheduler.read { try $0.outputs(ofStep: 0, before: record)?.outputs }
        #expect(found == ["\"c/0.0\"", nil, "\"c/0.2\""])
    }

    @Test(
        "where branches join, outputs are in the order of the steps, and other branches' steps are not earlier steps"
    )
    func outputsOfBranches() async throws {
        try await scheduler.enqueue(
            chain: "c", [[.plain], [.plain], [.plain], [.plain]], links: [[], [], [1], [0, 2]])
        while case let works = try await scheduler.claim(), !works.isEmpty {
            if works.contains(where: { $0.record.stepIndex == 3 }) {
                #expect(works[0].previousOutputs == ["\"c/0.0\"", "\"c/2.0\""])
                let record = works[0].record
                let before = try await scheduler.read { try $0.outputs(beforeStep: 3, inChainOf: record) }
                #expect(before.map(\.step) == [0, 2])
                #expect(
                    try await scheduler.read { try $0.outputs(ofStep: 1, before: record)?.outputs } == ["\"c/1.0\""])
            } else if let record = works.first(where: { $0.record.stepIndex == 2 })?.record {
                #expect(try await scheduler.read { try $0.outputs(ofStep: 0, before: record) } == nil)
            }
            for work in works { try await scheduler.end(work, .output("\"\(work.record.id)\"")) }
        }
        #expect(try await scheduler.states(ofChain: "c").allSatisfy { $0 == .succeeded })
    }

    @Test("a member's delay counts from its release")
    func delay() async throws {
        let delayed = TaskRequest(workerClassName: "W", delay: .seconds(5))
        try await scheduler.enqueue(chain: "c", [[delayed], [delayed]])
        #expect(try await scheduler.claim().isEmpty)
        let first = try await scheduler.claimOne(at: .after(.seconds(5)))
        try await scheduler.end(first, .success, at: .after(.seconds(8)))
        #expect(try await scheduler.claim(at: .after(.milliseconds(12_999))).isEmpty)
        #expect(try await scheduler.claimOne(at: .after(.seconds(13))).record.id == "c/1.0")
    }

    @Test("a step begins with the hand-off of the one before or with its outcome, as the request says")
    func continuation() async throws {
        for continuation in ChainContinuation.allCases {
            let id = continuation.rawValue
            let first = TaskRequest(workerClassName: "W", continuation: continuation)
            try await scheduler.enqueue(chain: id, [[first], [.plain]])
            let work = try await scheduler.claimOne()
            try await scheduler.end(work, .handedOff(message: nil, expiresAfter: nil))
            let isReleased = continuation == .afterHandOff
            #expect(try await scheduler.states(ofChain: id) == [.handedOff, isReleased ? .pending : .blocked])
            // Work that has started because of the hand-off stays, whatever its outcome is.
            try await scheduler.apply(.outcomeFinal(.failed), to: work.record.transferKey)
            #expect(try await scheduler.states(ofChain: id) == [.failed, isReleased ? .pending : .failed])
            _ = try await scheduler.write { try $0.cancel(id: id, now: .start) }
        }
    }

    @Test("the cancellation of a chain ends all that is unfinished of it, each with one event")
    func cancelled() async throws {
        try await scheduler.enqueue(chain: "c", [[.plain], [.plain, .plain], [.plain]])
        try await scheduler.end(try await scheduler.claimOne(), .success)
        _ = try await scheduler.claim(limit: 1)
        #expect(try await scheduler.write { try $0.cancel(id: "c", now: .start) } == .cancelled(items: 3))
        #expect(try await scheduler.states(ofChain: "c") == [.succeeded, .cancelled, .cancelled, .cancelled])
        #expect(scheduler.newest.events.map(\.workID).sorted() == ["c/1.0", "c/1.1", "c/2.0"])
        #expect(try await scheduler.write { try $0.cancel(id: "c", now: .start) } == .alreadyFinished)
        #expect(try await scheduler.claim().isEmpty)
    }

    @Test("the members that a blocked one waits for are listed while they are unfinished")
    func predecessors() async throws {
        try await scheduler.enqueue(chain: "c", [[.plain, .plain], [.plain]])
        let works = try await scheduler.claim()
        try await scheduler.end(works[0], .success)
        let waitsFor = try await scheduler.read { snapshot in
            try snapshot.unfinishedPredecessors(of: #require(try snapshot.record(id: "c/1.0")))
        }
        #expect(waitsFor == ["c/0.1"])
    }
}
