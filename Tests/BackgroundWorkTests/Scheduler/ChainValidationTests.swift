import BackgroundWorkModel
import Testing

@testable import BackgroundWork

/// Chains that cannot run: each is rejected with its own error, and nothing is stored.
/// One after the other: each case opens a scheduler, and a process has only so many descriptors.
@Suite(.serialized)
struct ChainValidationTests {
    private let refusal: EnqueueRefusal
    private var scheduler: WorkScheduler { refusal.scheduler }
    private var request: TaskRequest { refusal.request }

    init() throws { refusal = try EnqueueRefusal() }

    @Test("a chain with an empty step is rejected with the step's number")
    func emptySteps() async throws {
        await #expect(throws: EnqueueError.emptyStep(chainID: "c", step: 0)) {
            try await scheduler.beginWith([]).then(request).enqueue(id: "c")
        }
        let branches = [scheduler.beginWith(request), scheduler.beginWith(request).then([])]
        await #expect(throws: EnqueueError.emptyStep(chainID: nil, step: 2)) {
            try await #require(TaskChain.combine(branches)).enqueue()
        }
        #expect(TaskChain.combine([]) == nil)
        try await refusal.expect(.emptyStep(chainID: "c", step: 1), saying: "Step 1", "chain c", "Leave the step out") {
            try await scheduler.beginWith(request).then([]).enqueue(id: "c")
        }
    }

    @Test(
        "a chain that waits for itself, for a later step or for none that exists is rejected",
        arguments: [[[], [1]], [[1], [0]], [[], [2], []], [[], [-1]], [[Int.max], []]])
    func cycles(links: [[Int]]) async throws {
        let chain = ChainSteps(links.map { _ in [request] }, links: links)
        let step = try #require(links.firstIndex { !$0.isEmpty })
        try await refusal.expect(
            .cyclicChain(chainID: "c", step: step), saying: "Step \(step)", "chain c", "never start"
        ) {
            try await scheduler.enqueue(chain, id: "c", policy: .replace)
        }
    }

    @Test("chains of different schedulers are not joined, not even inside of one another")
    func differentSchedulers() async throws {
        let other = try SchedulerFixture()
        let stranger = try other.open()
        let joined = try #require(TaskChain.combine([scheduler.beginWith(request), stranger.beginWith(request)]))
        let nested = try #require(TaskChain.combine([scheduler.beginWith(request), joined.then(request)]))
        await #expect(throws: EnqueueError.chainsOfDifferentSchedulers) { try await nested.enqueue() }
        try await refusal.expect(.chainsOfDifferentSchedulers, saying: "different schedulers", "with the same one") {
            try await joined.enqueue(id: "c")
        }
        #expect(try await stranger.infos(matching: WorkQuery()).isEmpty)
        await stranger.shutdown()
    }
}
