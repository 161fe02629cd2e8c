import Testing

@testable import BackgroundWorkAgent

/// When the agent gives memory back.
struct IdleMemoryTests {
    private let timers = LoopTimers()
    private let start = SuspendingClock.now

    @Test("memory is returned once after each activity, and there is no timer afterwards")
    func once() {
        let memory = IdleMemory(timers: timers)
        for _ in 0..<2 {
            memory.watch(isIdle: false, now: start)
            #expect(timers.nextDue == nil)
            memory.watch(isIdle: true, now: start)
            #expect(timers.isSet(.memoryReturn))
            timers.run(now: start + .seconds(1))
            memory.watch(isIdle: true, now: start + .seconds(1))
            #expect(timers.nextDue == nil)
        }
    }

    @Test("a transfer that starts meanwhile delays it")
    func putOff() {
        let memory = IdleMemory(timers: timers)
        memory.watch(isIdle: true, now: start)
        memory.watch(isIdle: false, now: start + .milliseconds(100))
        #expect(!timers.isSet(.memoryReturn))
    }
}
