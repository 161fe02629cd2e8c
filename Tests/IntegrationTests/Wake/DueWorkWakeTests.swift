import Foundation
import TestSupport
import Testing

/// A scheduler whose process has ended is launched again by the agent when its work is due.
@Suite(.fewAtATime)
struct DueWorkWakeTests {
    @Test("work that becomes due after its host was killed is run by the host that the agent launches")
    func delayed() async throws {
        let (place, host) = try await hostWithWake()
        await host.killAndWait()
        try await place.wait(for: "the end of the chain") { place.events.count == 2 }
        #expect(place.events.map(\.outcome) == ["succeeded", "succeeded"])
        #expect(place.effects.count == 2)
        let log = place.lines(of: place.directory + "/agent/agent.log")
        #expect(log.contains { $0.contains("launched the host for work that is due") }, "\(place.logs)")
        try await place.wait(for: "the launched host's end") {
            place.lines(of: place.directory + "/agent/host.log").contains("done")
        }
        #expect(place.wakes.isEmpty, "\(place.logs)")
    }

    /// A host that waits for its work, and an agent that knows when that is due. On a slow machine the work may be
    /// done before the agent has started, so the wait is longer each time.
    private func hostWithWake() async throws -> (Workplace, ChildProcess) {
        for delay in [1000, 5000, 25_000, 125_000] {
            let place = try Workplace()
            let host = try place.startHost(
                ordering: nil, ["--worker", "Effect", "--delay-ms", "\(delay)", "--relaunch", "--stay"])
            try await place.wait(for: "the wake, or the work's end") { !place.wakes.isEmpty || !place.events.isEmpty }
            if place.events.isEmpty { return (place, host) }
        }
        throw Workplace.Timeout(what: "a wake before its work was done", log: "")
    }

    @Test("work that ran when its host was killed is resumed at once by the host that the agent launches")
    func interrupted() async throws {
        let place = try Workplace()
        let host = try place.startHost(ordering: nil, ["--worker", "Endless", "--relaunch", "--stay"])
        try await place.wait(for: "the start and the wake") {
            place.lines(of: place.hostLog).contains { $0.hasPrefix("endless attempt") } && !place.wakes.isEmpty
        }
        await host.killAndWait()
        try await place.wait(for: "the second start") {
            place.lines(of: place.directory + "/agent/host.log").contains("endless attempt 1")
        }
        #expect(place.events.isEmpty)
    }
}
