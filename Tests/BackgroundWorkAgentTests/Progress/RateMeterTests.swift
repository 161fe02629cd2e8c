import Testing

@testable import BackgroundWorkAgent

@Suite("The speed of a transfer")
struct RateMeterTests {
    @Test("the first measurement gives no speed, the second the speed between them")
    func first() {
        var meter = RateMeter()
        meter.note(bytes: 500, after: 0)
        #expect(meter.bytesPerSecond == nil)
        meter.note(bytes: 700, after: 0.5)
        #expect(meter.bytesPerSecond == 400)
    }

    @Test("at first the speed is what has come over the time that has passed")
    func beginning() {
        var meter = RateMeter()
        meter.note(bytes: 0, after: 0)
        meter.note(bytes: 1, after: 0.25)
        #expect(meter.bytesPerSecond == 4)
        meter.note(bytes: 1000, after: 0.25)
        #expect(meter.bytesPerSecond == 2000)
        meter.note(bytes: 2000, after: 0.5)
        #expect(meter.bytesPerSecond == 2000)
        meter.note(bytes: 2000, after: 1)
        #expect(meter.bytesPerSecond == 1000)
    }

    @Test("the time before the first byte does not make the speed that follows look low")
    func waiting() {
        var meter = RateMeter()
        meter.note(bytes: 500, after: 0)
        for _ in 0..<100 { meter.note(bytes: 500, after: 0.125) }
        #expect(meter.bytesPerSecond == 0)
        meter.note(bytes: 750, after: 0.125)
        #expect(meter.bytesPerSecond == 2000)
        meter.note(bytes: 1000, after: 0.125)
        #expect(meter.bytesPerSecond == 2000)
    }

    @Test("later a change of speed appears gradually, and after a while completely")
    func settling() {
        var meter = RateMeter()
        meter.note(bytes: 0, after: 0)
        meter.note(bytes: 300, after: 3)
        meter.note(bytes: 1300, after: 1)
        #expect(meter.bytesPerSecond == 400)
        meter.note(bytes: 11_300, after: 10)
        #expect(meter.bytesPerSecond == 1000)
    }

    @Test("the speed of a stalled transfer falls to zero, and that of a restarted one is not negative")
    func still() {
        var meter = RateMeter()
        meter.note(bytes: 0, after: 0)
        meter.note(bytes: 300, after: 1)
        meter.note(bytes: 300, after: 3)
        #expect(meter.bytesPerSecond == 0)
        meter.note(bytes: 0, after: 1)
        #expect(meter.bytesPerSecond == 0)
    }

    @Test("two measurements at one instant change only the count")
    func sameInstant() {
        var meter = RateMeter()
        meter.note(bytes: 0, after: 0)
        meter.note(bytes: 100, after: 1)
        meter.note(bytes: 5000, after: 0)
        #expect(meter.bytesPerSecond == 100)
    }
}
