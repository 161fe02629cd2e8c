import BackgroundWorkModel
import TestSupport
import Testing

@testable import BackgroundWork

/// Chains of ten thousand: whatever is done once for each member must not look at all the others. Were it so, these
/// tests would take many minutes.
@Suite(.timeLimit(.minutes(5)))
struct LongChainTests {
    static let length = 10_000

    var fixture: SchedulerFixture

    init() throws { fixture = try SchedulerFixture() }

    let request = TaskRequest(workerClassName: "W")

    /// Long, wide, wide twice, and wide in a branch beside another.
    static func shapes(_ request: TaskRequest) -> [ChainSteps] {
        let row = Array(repeating: request, count: length)
        var branched = ChainSteps.combined([ChainSteps([Array(row.dropLast(2))]), ChainSteps([[request]])])
        branched.append([request])
        return [
            ChainSteps(Array(repeating: [request], count: length)), ChainSteps([row]),
            ChainSteps([Array(row.prefix(length / 2)), Array(row.prefix(length / 2))]), branched,
        ]
    }

    @Test("a chain of 10,000 is enqueued, cancelled and tried again as a whole", arguments: 0..<4)
    mutating func cancel(shape: Int) async throws {
        let scheduler = try fixture.open { $0.clock = fixture.clock }
        let chain = Self.shapes(request)[shape]
        #expect(try await scheduler.enqueue(chain, id: "c", policy: .replace) == .accepted(id: "c"))
        #expect(try await scheduler.cancel(id: "c") == .cancelled(items: Self.length))
        #expect(try await scheduler.retry(id: "c") == .retried(items: Self.length))
        #expect(try await scheduler.cancelAll() == .cancelled(items: Self.length))
        #expect(try await scheduler.enqueue(chain, id: "c", policy: .keep) == .accepted(id: "c"))
        #expect(try await scheduler.enqueue(chain, id: "c", policy: .append) == .accepted(id: "c"))
        #expect(try await scheduler.cancel(id: "c") == .cancelled(items: 2 * Self.length))
        await scheduler.shutdown()
    }

    @Test("a step of 10,000 runs to its end, and the join finds all outputs in order")
    mutating func wide() async throws {
        let joined = Recorder<[String]>()
        try fixture.workers.register("W") { _, context in .success(outputJSON: "\"\(context.workID)\"") }
        try fixture.workers.register("Join") { _, context in
            joined.add(context.previousOutputs)
            return .success()
        }
        let scheduler = try await fixture.start { $0.retainedEvents = 1000 }
        try await scheduler.beginWith(Array(repeating: request, count: Self.length))
            .then(TaskRequest(workerClassName: "Join")).enqueue(id: "c")
        await scheduler.waitUntilIdle()
        #expect(joined.values == [(0..<Self.length).map { "\"c/0.\($0)\"" }])
        await scheduler.shutdown()
    }

    @Test("500 steps run one after the other")
    mutating func long() async throws {
        let order = Recorder<Int>()
        try fixture.workers.register("W") { _, context in
            order.add(context.stepIndex)
            return .success()
        }
        let scheduler = try await fixture.start { $0.retainedEvents = 1000 }
        var chain = scheduler.beginWith(request)
        for _ in 1..<500 { chain = chain.then(request) }
        try await chain.enqueue(id: "c")
        await scheduler.waitUntilIdle()
        #expect(order.values == Array(0..<500))
        await scheduler.shutdown()
    }
}
