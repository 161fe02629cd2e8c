import BackgroundWorkModel
import Foundation
import Testing

@testable import BackgroundWork

/// An invalid configuration of a scheduler is rejected before anything is created.
struct ConfigurationValidationTests {
    @Test("a configuration with a limit of zero is rejected with the limit's name")
    func configuration() throws {
        func refuses(
            _ expected: ConfigurationError, saying words: String,
            _ configure: (inout WorkScheduler.Configuration) -> Void
        ) throws {
            let fixture = try SchedulerFixture()
            let error = #expect(throws: ConfigurationError.self) { try fixture.open(configure: configure) }
            #expect(error == expected)
            #expect(error?.description.contains(words) == true)
            #expect(fixture.folder.names.isEmpty)
        }
        try refuses(.notPositive(name: "maximumConcurrentWork", value: 0), saying: "at least 1, not 0") {
            $0.maximumConcurrentWork = 0
        }
        try refuses(.notPositive(name: "retainedEvents", value: -1), saying: "at least 1, not -1") {
            $0.retainedEvents = -1
        }
        try refuses(.notPositive(name: "workerLimits[\"W\"]", value: 0), saying: "workerLimits[\"W\"]") {
            $0.workerLimits = ["W": 0]
        }
        try refuses(
            .notPositive(name: "queueLimits[\"q\"].maximumConcurrent", value: 0), saying: "queueLimits[\"q\"]"
        ) { $0.queueLimits = ["q": QueueLimits(maximumConcurrent: 0)] }
        let rates = [
            RateLimit(0, per: .seconds(1)), RateLimit(1, per: .zero), RateLimit(1, per: .seconds(-1)),
            RateLimit(1, per: .seconds(Int64.max)),
            RateLimit(
                1,
                per: Duration(secondsComponent: Int64.max / 1000, attosecondsComponent: 999_000_000_000_000_000)),
        ]
        for rate in rates {
            try refuses(.invalidRate(queue: "q"), saying: "\"q\" needs a count of at least 1") {
                $0.queueLimits = ["q": QueueLimits(rate: rate)]
            }
        }
    }
}
