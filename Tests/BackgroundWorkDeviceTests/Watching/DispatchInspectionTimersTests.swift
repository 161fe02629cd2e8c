import Dispatch
import Testing

@testable import BackgroundWorkDevice

struct DispatchInspectionTimersTests {
    @Test("the timers of the system fire again and again", .timeLimit(.minutes(5)))
    func fires() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Wake.self)
        let queue = DispatchQueue(label: "timer")
        let timer = DispatchInspectionTimers().begin(every: 1, on: queue) { continuation.yield($0) }
        var wakes = stream.makeAsyncIterator()
        for _ in 0..<2 { #expect(await wakes.next() == .time) }
        withExtendedLifetime(timer) {}
    }
}
