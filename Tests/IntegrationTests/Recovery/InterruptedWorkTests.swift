import BackgroundWorkTesting
import Foundation
import Glibc
import TestSupport
import Testing

/// What a host's end means for the work it was running.
@Suite(.serialized, .fewAtATime)
struct HostLifeTests {
    @Test("SIGTERM puts running work back, no attempt is counted, and the process ends well")
    func terminated() async throws {
        let place = try Workplace()
        for _ in 0..<2 {
            let host = try await Self.hostWithRunningWork(in: place)
            try await place.wait(for: "the host to listen for SIGTERM") { Self.handlesTermination(host.id) }
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

    /// Whether SIGTERM has a handler, by the mask in /proc (proc(5)).
    private static func handlesTermination(_ pid: pid_t) -> Bool {
        let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") } ?? ""
        let mask = UInt64(line.dropFirst("SigCgt:".count).drop { $0 == "\t" }, radix: 16) ?? 0
        return mask & (1 << UInt64(SIGTERM - 1)) != 0
    }

    @Test("work of a killed host is taken back at once by the next one, without an attempt")
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
        #expect(place.events.first?.message.contains("does not know") == true, "\(place.events)")
        #expect(place.stateEntries == 0)
    }

    @Test("a daemon that cannot be reached is no answer: the sweep keeps everything and says why")
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
        #expect(place.stateEntries == 1)
        #expect(place.state(of: "c/0.0") == 3)
        await scheduler.shutdown()
    }
}
