import Dispatch
import Testing

@testable import BackgroundWorkDevice

struct DispatchLookTimersTests {
    @Test("the timers of the system fire again and again", .timeLimit(.minutes(1)))
    func fires() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Wake.self)
        let timer = DispatchLookTimers().begin(every: 1, on: DispatchQueue(label: "timer")) { continuation.yield($0) }
        var wakes = stream.makeAsyncIterator()
        for _ in 0..<2 { #expect(await wakes.next() == .time) }
        withExtendedLifetime(timer) {}
    }
}
