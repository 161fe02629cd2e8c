import Synchronization
import TestSupport
import Testing

@testable import BackgroundWorkFiles

/// A queue that is held lets nothing run, and says when something would.
@Suite(.timeLimit(.minutes(5)))
struct HoldableQueueTests {
    @Test("whatever is submitted at the instant of a hold either runs before it or asks for its end")
    func races() async {
        for round in 0..<5000 {
            let queue = HoldableQueue(label: "test")
            let ran = Latch()
            async let held: Void = queue.hold { queue.proceed() }
            if round.isMultiple(of: 2) {
                queue.async { ran.open() }
            } else {
                SystemThread.start { queue.sync { ran.open() } }
            }
            await held
            await ran.wait()
            queue.proceed()
        }
    }

    @Test("what waits in a held queue runs when the queue is given up")
    func givenUp() async throws {
        let runs = Recorder<Int>()
        do {
            let queue = HoldableQueue(label: "test")
            await queue.hold {}
            queue.async { runs.add(1) }
        }
        let hasRun = try await comesTrue(within: .seconds(10)) { runs.values == [1] }
        #expect(hasRun)
    }

    @Test("a held queue runs what waits when it proceeds, in order; a second hold of it returns at once")
    func order() async {
        let (queue, wishes, runs) = (HoldableQueue(label: "test"), Recorder<String>(), Recorder<Int>())
        await queue.hold { wishes.add("wanted") }
        await queue.hold { wishes.add("second") }
        for number in 1...3 { queue.async { runs.add(number) } }
        #expect(wishes.values == ["wanted", "wanted", "wanted"])
        #expect(runs.values.isEmpty)
        queue.proceed()
        queue.proceed()
        await runs.wait { $0 == [1, 2, 3] }
        await queue.hold { wishes.add("third") }
        #expect(wishes.values.count == 3)
        queue.proceed()
    }
}
