import BackgroundWorkSystem
import Foundation
import TestSupport
import Testing

/// What the end of a host, by SIGTERM or by death, means for the work that it was running.
@Suite(.serialized, .fewAtATime)
struct InterruptedWorkTests {
    @Test("SIGTERM puts running work back, no attempt is counted, and the process ends well")
    func terminated() async throws {
        let place = try Workplace()
        for _ in 0..<2 {
            let host = try await Self.hostWithRunningWork(in: place)
            try await place.wait(for: "the host to listen for SIGTERM") { host.handles(SIGTERM) }
            host.send(SIGTERM)
            #expect(await host.nextChange() == .exited(0), "\(place.logs)")
            #expect(place.state(of: "c/0.0") == 1)
        }
        #expect(place.events.isEmpty)
        #expect(place.query("work.sqlite", "SELECT count(*) FROM owners") { $0.int(0) } == [0])
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.directory + "/owners").isEmpty)
    }

    /// A host whose work, in its first attempt, has begun to run.
    private static func hostWithRunningWork(in place: Workplace) async throws -> ChildProcess {
        let seen = place.lines(of: place.hostLog).count
        let host = try place.startHost(ordering: nil, ["--worker", "Endless", "--stay"])
        try await place.wait(for: "the worker") {
            place.lines(of: place.hostLog).dropFirst(seen).contains("endless attempt 1")
        }
        return host
    }

    @Test("work of a killed host is reclaimed at once by the next one, without counting an attempt")
    func killed() async throws {
        let place = try Workplace()
        for _ in 0..<2 {
            let host = try await Self.hostWithRunningWork(in: place)
            await host.killAndWait()
        }
        #expect(place.events.isEmpty)
    }

    @Test("work that kills its process is run alone after two deaths, and fails with the third")
    func poison() async throws {
        let place = try Workplace()
        for _ in 0..<3 {
            let host = try place.startHost(ordering: nil, ["--worker", "Crash"])
            #expect(await host.nextChange() == .signalled(SIGKILL), "\(place.logs)")
            #expect(place.events.isEmpty)
        }
        let last = try place.startHost(ordering: nil)
        #expect(await last.nextChange() == .exited(0), "\(place.logs)")
        #expect(place.events.map(\.workID) == ["c/0.0", "c/1.0"])
        #expect(place.events.first?.message.contains("died 3 times") == true, "\(place.events)")
        #expect(place.events.first?.message.contains("Crash") == true)
    }
}
