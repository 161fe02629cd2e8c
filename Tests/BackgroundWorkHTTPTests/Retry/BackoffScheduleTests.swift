import Testing

@testable import BackgroundWorkHTTP

@Suite("The waits between attempts")
struct BackoffScheduleTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        var initial: Duration
        var multiplier: Double
        var maximum: Duration = .seconds(3600)
        var waits: [Duration]
        var testDescription: String { "\(initial) × \(multiplier), at most \(maximum)" }
    }

    @Test(
        "they grow by the factor, to the nanosecond, up to the maximum",
        arguments: [
            Vector(
                initial: .milliseconds(100), multiplier: 2,
                waits: [.milliseconds(100), .milliseconds(200), .milliseconds(400), .milliseconds(800)]),
            Vector(
                initial: .milliseconds(250), multiplier: 1.5,
                waits: [.milliseconds(250), .milliseconds(375), .microseconds(562_500), .microseconds(843_750)]),
            Vector(initial: .nanoseconds(1), multiplier: 3, waits: [1, 3, 9, 27].map { .nanoseconds($0) }),
            Vector(initial: .microseconds(1), multiplier: 1, waits: [.microseconds(1), .microseconds(1)]),
            Vector(
                initial: .milliseconds(800), multiplier: 0.5,
                waits: [.milliseconds(800), .milliseconds(400), .milliseconds(200)]),
            Vector(
                initial: .milliseconds(300), multiplier: 10, maximum: .milliseconds(1500),
                waits: [.milliseconds(300), .milliseconds(1500), .milliseconds(1500)]),
            Vector(initial: .seconds(2), multiplier: 2, maximum: .milliseconds(50), waits: [.milliseconds(50)]),
            Vector(initial: .zero, multiplier: 2, waits: [.zero, .zero]),
            Vector(initial: .seconds(1), multiplier: 0, waits: [.seconds(1), .zero, .zero]),
        ])
    func growth(_ vector: Vector) {
        let schedule = BackoffSchedule(
            initialDelay: vector.initial, multiplier: vector.multiplier, maximumDelay: vector.maximum, jitter: 0)
        let waits = vector.waits.indices.map { schedule.delay(afterAttempt: $0 + 1, random: 0.9) }
        #expect(waits == vector.waits)
    }

    @Test("jitter lengthens and shortens by its fraction, and stays below the maximum")
    func jitter() {
        let schedule = BackoffSchedule(
            initialDelay: .milliseconds(100), multiplier: 2, maximumDelay: .milliseconds(210), jitter: 0.5)
        #expect(schedule.delay(afterAttempt: 1, random: 0) == .milliseconds(50))
        #expect(schedule.delay(afterAttempt: 1, random: 0.5) == .milliseconds(100))
        #expect(schedule.delay(afterAttempt: 1, random: 1) == .milliseconds(150))
        #expect(schedule.delay(afterAttempt: 2, random: 0) == .milliseconds(100))
        #expect(schedule.delay(afterAttempt: 2, random: 1) == .milliseconds(210))
        let full = BackoffSchedule(
            initialDelay: .seconds(1), multiplier: 2, maximumDelay: .seconds(60), jitter: 1)
        #expect(full.delay(afterAttempt: 1, random: 0) == .zero)
        #expect(full.delay(afterAttempt: 1, random: 1) == .seconds(2))
    }

    @Test("no number makes a wait that is negative, longer than the maximum, or a trap")
    func extremes() {
        let numbers: [Double] = [
            .nan, .infinity, -.infinity, -1, -0.0, 0, 1e-300, 0.5, 1, 1.0000001, 2, 1e300, .greatestFiniteMagnitude,
        ]
        let durations: [Duration] = [
            .seconds(Int64.min), .seconds(-1), .nanoseconds(-1), .zero,
            Duration(secondsComponent: 0, attosecondsComponent: 1),
            .milliseconds(1), .seconds(86_400 * 366 * 100), .seconds(Int64.max),
        ]
        let century = Duration.seconds(86_400 * 366 * 100)
        for initial in durations {
            for maximum in durations {
                for multiplier in numbers {
                    for jitter in numbers {
                        let schedule = BackoffSchedule(
                            initialDelay: initial, multiplier: multiplier, maximumDelay: maximum, jitter: jitter)
                        for attempt in [Int.min, 0, 1, 2, 63, 64, 1000, Int.max] {
                            for random in [0, 0.5, 1, Double.nan, -.infinity, .infinity] {
                                let wait = schedule.delay(afterAttempt: attempt, random: random)
                                guard wait < .zero || wait > min(max(maximum, .zero), century) else { continue }
                                Issue.record(
                                    "\(initial) \(maximum) \(multiplier) \(jitter) \(attempt) \(random): \(wait)")
                            }
                        }
                    }
                }
            }
        }
    }

    @Test("what makes no sense is replaced by the nearest number that does")
    func replaced() {
        let schedule = BackoffSchedule(
            initialDelay: .seconds(1), multiplier: -.infinity, maximumDelay: .seconds(Int64.max), jitter: .nan)
        #expect(schedule.delay(afterAttempt: 5, random: 0) == .seconds(1))
        let huge = BackoffSchedule(
            initialDelay: .seconds(1), multiplier: .infinity, maximumDelay: .seconds(60), jitter: 7)
        #expect(huge.delay(afterAttempt: 0, random: 1) == .seconds(2))
        #expect(huge.delay(afterAttempt: 9, random: 0.5) == .seconds(60))
    }
}
