import BackgroundWorkModel
import Testing

@testable import BackgroundWork
@testable import BackgroundWorkStorage

@Suite("Work that was claimed and has not started")
struct RunQueueTests {
    private func work(
        _ number: Int64, _ priority: WorkPriority = .normal, under limits: [LimitKey] = []
    ) -> ClaimedWork {
        let record = WorkRecord(
            sequence: number, id: "\(number)", chainID: nil, chainSequence: nil, stepIndex: 0, position: 0,
            workerName: "W", inputJSON: nil, retryPolicy: .exponential(),
            status: WorkStatus(state: .running, generation: 1, attempt: 1, deaths: 0), priority: priority,
            due: WallTime(milliseconds: number), owner: 1, enqueuedAt: WallTime(milliseconds: 0), claimGroupNumber: 1,
            flags: [], occurrence: 0, startedAt: WallTime(milliseconds: number), isCarried: false, rare: nil)
        return ClaimedWork(
            record: record, claimGroup: ClaimGroup(queue: "default", worker: "W", constraints: []), previousOutputs: [],
            limits: limits)
    }

    private func sequence(_ work: ClaimedWork?) -> Int64? { work?.record.sequence }

    @Test("what has no room under its limit lets others pass, and goes first when it has")
    func heldBack() {
        let (one, two) = (LimitKey.queue("one"), LimitKey.worker("two"))
        var limits = RunLimits()
        limits.permits = [one: 1, two: 1]
        var queue = RunQueue()
        let held = [work(1, under: [one]), work(2, under: [one]), work(3, under: [two, one]), work(4), work(5)]
        queue.append(RunQueue.Claims(held))
        let first = queue.popFirst(within: limits)
        #expect(sequence(first) == 1)
        limits.began(held[0])
        #expect(sequence(queue.popFirst(within: limits)) == 4)
        #expect(queue.count == 3)
        limits.ended(held[0], after: .microseconds(1))
        #expect(sequence(queue.popFirst(within: limits)) == 2)
        limits.began(held[1])
        #expect(sequence(queue.popFirst(within: limits)) == 5)
        #expect(queue.popFirst(within: limits) == nil && queue.count == 1)
        // The free part of a limit may change meanwhile, and a limit may be removed.
        limits.permits = [two: 0]
        #expect(queue.popFirst(within: limits) == nil)
        limits.permits = [:]
        #expect(sequence(queue.popFirst(within: limits)) == 3)
        #expect(queue.isEmpty)
    }

    @Test("urgent work goes before what was held back, if it is more urgent")
    func urgent() {
        let key = LimitKey.queue("one")
        var limits = RunLimits()
        limits.permits = [key: 0]
        var queue = RunQueue()
        queue.append(RunQueue.Claims([work(1, under: [key])]))
        #expect(queue.popFirst(within: limits) == nil)
        queue.append(RunQueue.Claims([work(2, .high), work(3)]))
        limits.permits = [key: 1]
        #expect([2, 1, 3] == (0..<3).map { _ in sequence(queue.popFirst(within: limits)) })
    }

    @Test("what is held back and does not move is taken out, and so is what is picked")
    func stalled() {
        let (one, two) = (LimitKey.queue("one"), LimitKey.queue("two"))
        var limits = RunLimits()
        limits.permits = [one: 0, two: 0]
        var queue = RunQueue()
        queue.append(
            RunQueue.Claims([1, 2, 3].map { work($0, under: [one]) } + [4, 5, 6].map { work($0, under: [two]) }))
        #expect(queue.popFirst(within: limits) == nil)
        #expect(queue.removeStalled().isEmpty)
        limits.permits[two] = 1
        #expect(sequence(queue.popFirst(within: limits)) == 4)
        #expect(queue.removeStalled().map(\.record.sequence) == [1, 2, 3])
        #expect(queue.remove { $0.record.sequence == 5 }.count == 1)
        #expect(queue.count == 1)
        #expect(sequence(queue.popFirst(within: limits)) == 6)
    }

    @Test("a queue that is never empty keeps its order, and nothing of the claims that are used up")
    func neverEmpty() {
        var queue = RunQueue()
        queue.append(RunQueue.Claims([work(0), work(1)]))
        for number in 0..<10_000 {
            queue.append(RunQueue.Claims([work(Int64(number) + 2)]))
            #expect(queue.popFirst()?.record.sequence == Int64(number))
        }
        #expect(queue.count == 2)
        #expect(queue.keptClaims < 200)
    }
}
