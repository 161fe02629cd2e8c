import BackgroundWorkTesting
import Foundation
import Testing

/// The host dies at each row of the crash table, and the next launch finds what the table says.
@Suite(.serialized, .fewAtATime)
struct HostDeathTests {
    static let content = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 7) }

    /// The rows of the table whose instant is a call of the host's.
    static let rows: [(row: String, point: KillPoint)] = [
        ("1: input validated, nothing reserved", .at(.before, "send", "\"reserve\"")),
        ("2: reserved, no entry", .at(.before, "rename", "bg_url_session_state.json")),
        ("3: entry written, not started", .at(.before, "send", "\"resume\"")),
        ("4: started, work still running", .at(.after, "send", "\"resume\"")),
        ("7: finishing committed, not in place", .at(.before, "rename", "downloads/file.bin")),
        ("8: in place, not committed", .at(.after, "rename", "downloads/file.bin")),
        ("9: finished, not acknowledged", .at(.before, "send", "\"acknowledge\"")),
        ("10: acknowledged, entry still there", .at(.before, "rename", "bg_url_session_state.json", occurrence: 2)),
        ("11: entry removed", .at(.after, "rename", "bg_url_session_state.json", occurrence: 2)),
    ]

    /// Those of a file that is first moved beside its target, because an existing file there may have to stay.
    static let rowsOfTwoSteps: [(row: String, point: KillPoint)] = [
        ("6: outcome recorded, nothing moved", .at(.before, "rename", ".bgwork-")),
        ("6a: file beside its target, not committed", .at(.after, "rename", ".bgwork-")),
        ("7: finishing committed, not in place", .at(.before, "rename", "downloads/file.bin")),
        ("8: in place, not committed", .at(.after, "rename", "downloads/file.bin")),
    ]

    @Test("the host is killed, and the next launch continues from there", arguments: rows.indices)
    func row(index: Int) async throws {
        let (row, point) = Self.rows[index]
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        let first = try place.startHost(stoppingAt: point)
        #expect(await first.nextChange() == .stopped, "\(row) was not reached\n\(place.logs)")
        await first.killAndWait()
        let second = try place.startHost()
        #expect(await second.nextChange() == .exited(0), "\(row)\n\(place.logs)")
        try await place.wait(for: "the agent to forget the transfer") { place.journal.isEmpty }
        // From row 9 on the successor runs; killed between its effect and its commit, it has the effect twice.
        place.expectFinished(content: Self.content, effects: index < 6 ? 1...1 : 1...2, row)
    }

    @Test("the host is killed beside a file that must not replace another", arguments: rowsOfTwoSteps.indices)
    func twoSteps(index: Int) async throws {
        let (row, point) = Self.rowsOfTwoSteps[index]
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        let first = try place.startHost(stoppingAt: point, ["--on-duplicate", "RENAME"])
        #expect(await first.nextChange() == .stopped, "\(row) was not reached\n\(place.logs)")
        await first.killAndWait()
        let second = try place.startHost()
        #expect(await second.nextChange() == .exited(0), "\(row)\n\(place.logs)")
        try await place.wait(for: "the agent to forget the transfer") { place.journal.isEmpty }
        place.expectFinished(content: Self.content, row)
    }

    @Test("a file that is neither in the agent's folder nor at its target after a death is downloaded again")
    func lostFile() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        let first = try place.startHost(
            stoppingAt: .at(.before, "rename", "downloads/file.bin"), ["--attempts", "2"])
        #expect(await first.nextChange() == .stopped, "\(place.logs)")
        await first.killAndWait()
        let staged = try FileManager.default.contentsOfDirectory(atPath: place.directory + "/agent/staging")
        for name in staged { try FileManager.default.removeItem(atPath: place.directory + "/agent/staging/" + name) }
        // The file there is not mistaken for the downloaded one.
        try Data("another".utf8).write(to: URL(filePath: place.savePath))
        let second = try place.startHost()
        #expect(await second.nextChange() == .exited(0), "\(place.logs)")
        try await place.wait(for: "the agent to forget the transfer") { place.journal.isEmpty }
        place.expectFinished(content: Self.content, requests: 2...2)
    }

    @Test("row 5: killed while the transfer is in progress, the host finds the outcome at its next launch")
    func underWay() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        place.server.setBehaviour(.holdAfter(bytes: 20_000), for: "/file")
        let first = try place.startHost()
        try await place.wait(for: "the hand-off") { place.state(of: "c/0.0") == 3 }
        await first.killAndWait()
        place.server.release("/file")
        try await place.wait(for: "the outcome in the journal") { place.journal == ["finished"] }
        let second = try place.startHost(ordering: nil)
        #expect(await second.nextChange() == .exited(0), "\(place.logs)")
        place.expectFinished(content: Self.content)
    }

    @Test("the agent launches a dead host when its file is there")
    func relaunch() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        place.server.setBehaviour(.holdAfter(bytes: 20_000), for: "/file")
        let first = try place.startHost(["--relaunch"])
        try await place.wait(for: "the hand-off") { place.state(of: "c/0.0") == 3 }
        await first.killAndWait()
        place.server.release("/file")
        try await place.wait(for: "the chain's end") { place.events.count == 2 && place.journal.isEmpty }
        try await place.wait(for: "the launched host's end") { place.hosts.isEmpty }
        place.expectFinished(content: Self.content)
    }

    @Test("a host that dies after the hand-off is not launched before its file is there")
    func noLaunchBeforeOutcome() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        place.server.setBehaviour(.holdAfter(bytes: 20_000), for: "/file")
        let first = try place.startHost(["--relaunch"])
        try await place.wait(for: "the wake of the run to be taken back") {
            place.lines(of: place.hostLog).contains("told after the hand-off")
        }
        #expect(place.wakes.isEmpty)
        await first.killAndWait()
        place.server.release("/file")
        try await place.wait(for: "the chain's end") { place.events.count == 2 && place.journal.isEmpty }
        try await place.wait(for: "the launched host's end") { place.hosts.isEmpty }
        let launches = place.lines(of: place.agentLog).filter { $0.contains("launched the host for ") }
        #expect(launches.count == 1)
        #expect(launches.allSatisfy { $0.contains("launched the host for undelivered outcomes") }, "\(launches)")
    }

    @Test("killed before every single call that it makes durable with, the host loses nothing and repeats nothing")
    func everyCall() async throws {
        var number = 0
        while true {
            number += 1
            let place = try Workplace()
            place.server.serve(.bytes(Self.content), at: "/file")
            let first = try place.startHost(stoppingAt: .call(number))
            let change = await first.nextChange()
            if change != .stopped {
                #expect(change == .exited(0), "\(place.logs)")
                break
            }
            let stop = place.lines(of: place.killLog).last ?? ""
            await first.killAndWait()
            let second = try place.startHost()
            #expect(await second.nextChange() == .exited(0), "call \(number): \(stop)\n\(place.logs)")
            try await place.wait(for: "the agent to forget the transfer") { place.journal.isEmpty }
            // A worker that was killed after its effect and before its commit has the effect twice: that is what
            // idempotent means. Its event and the download are there once all the same.
            place.expectFinished(content: Self.content, effects: 1...2, "call \(number): \(stop)")
            try await place.killAgents()
        }
        #expect(number > 20)
    }
}
