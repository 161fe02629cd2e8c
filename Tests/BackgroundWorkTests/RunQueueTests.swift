import BackgroundWorkModel
import Testing

@testable import BackgroundWork
@testable import BackgroundWorkStorage

@Suite("What was claimed and has not begun")
struct RunQueueTests {
    private func work(_ number: Int64, _ priority: WorkPriority = .normal) -> ClaimedWork {
        let record = WorkRecord(
            sequence: number, id: "\(number)", chainID: nil, chainSequence: nil, stepIndex: 0, position: 0,
            workerName: "W", inputJSON: nil, retryPolicy: .exponential(),
            status: WorkStatus(state: .running, generation: 1, attempt: 1, deaths: 0), priority: priority,
            due: WallTime(milliseconds: number), owner: 1, enqueuedAt: WallTime(milliseconds: 0), laneNumber: 1,
            flags: [], occurrence: 0, startedAt: WallTime(milliseconds: number), isCarried: false, rare: nil)
        return ClaimedWork(
            record: record, lane: Lane(queue: "default", worker: "W", constraints: []), previousOutputs: [])
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
