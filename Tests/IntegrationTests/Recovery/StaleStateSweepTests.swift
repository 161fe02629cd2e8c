import BackgroundWorkTesting
import Foundation
import Testing

/// The sweep of work whose transfer the daemon no longer knows.
@Suite(.serialized, .fewAtATime)
struct StaleStateSweepTests {
    @Test("the sweep fails work whose transfer the daemon does not know, and keeps what it knows")
    func sweep() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(HostDeathTests.content), at: "/file")
        place.server.setBehaviour(.holdAfter(bytes: 20_000), for: "/file")
        let first = try place.startHost()
        try await place.wait(for: "the hand-off") { place.state(of: "c/0.0") == 3 }
        await first.killAndWait()
        // Known to the daemon: it stays, however old.
        let second = try place.startHost(ordering: nil, ["--stay", "--sweep-older-than-ms", "0"])
        try await place.wait(for: "the sweep") { place.lines(of: place.hostLog).contains { $0.hasPrefix("sweep ") } }
        #expect(place.lines(of: place.hostLog).contains { $0.contains("0 dropped, 1 old but alive") }, "\(place.logs)")
        await second.killAndWait()
        // The daemon's journal forgets the transfer without its epoch changing.
        try await place.killAgents()
        try place.forgetTransfers()
        let third = try place.startHost(ordering: nil, ["--sweep-older-than-ms", "0"])
        #expect(await third.nextChange() == .exited(0), "\(place.logs)")
        #expect(place.events.map(\.outcome) == ["failed", "failed"])
        #expect(place.events.first?.message.contains("no longer knows") == true, "\(place.events)")
        #expect(place.stateEntries == 0)
    }

    @Test("if the daemon cannot be reached the sweep keeps everything and reports why")
    func sweepWithoutDaemon() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(HostDeathTests.content), at: "/file")
        place.server.setBehaviour(.holdAfter(bytes: 20_000), for: "/file")
        let first = try place.startHost()
        try await place.wait(for: "the hand-off") { place.state(of: "c/0.0") == 3 }
        await first.killAndWait()
        try await place.killAgents()
        try Data("#!/bin/sh\nexit 1\n".utf8).write(to: URL(filePath: place.agentScript))
        let scheduler = try place.scheduler()
        let report = try await scheduler.sweepStaleStateOnLaunch(olderThan: .zero)
        #expect(report.entriesFound == 1)
        #expect(report.dropped.isEmpty)
        #expect(report.daemonError?.contains(place.agentScript) == true, "\(report)")
        #expect(report.description.hasPrefix("1 entry found, none dropped, because the daemon could not be asked: "))
        #expect(!report.description.contains("alive"), "\(report)")
        #expect(place.stateEntries == 1)
        #expect(place.state(of: "c/0.0") == 3)
        await scheduler.shutdown()
    }
}
