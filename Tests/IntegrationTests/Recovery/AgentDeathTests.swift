import BackgroundWorkTesting
import Foundation
import Testing

/// The agent dies at each of its own instants, alone and together with the host; nothing is lost, fetched twice from
/// the disk's point of view, or reported twice.
@Suite(.serialized, .fewAtATime)
struct AgentDeathTests {
    static let content = HostDeathTests.content

    /// The instants of a transfer's life in the agent.
    static let points: [(moment: String, point: KillPoint)] = [
        ("asked to reserve, not answered", .at(.before, "send", "\"reserved\"")),
        ("reserved and answered", .at(.after, "send", "\"reserved\"")),
        ("file complete, not synchronized", .at(.before, "sync", ".part")),
        ("file synchronized, outcome not recorded", .at(.after, "sync", ".part")),
        ("outcome recorded, not delivered", .at(.before, "send", "\"outcome\"")),
        ("outcome delivered", .at(.after, "send", "\"outcome\"")),
    ]

    @Test("the agent is killed while the host lives, which starts it again", arguments: points.indices)
    func agentAlone(index: Int) async throws {
        let (moment, point) = Self.points[index]
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        try place.stopNextAgent(at: point.dying)
        let host = try place.startHost()
        #expect(await host.nextChange() == .exited(0), "\(moment)\n\(place.logs)")
        #expect(place.lines(of: place.killLog).contains { $0.hasPrefix("killed ") }, "\(moment) was not reached")
        try await place.wait(for: "the agent to forget the transfer") { place.journal.isEmpty }
        place.expectFinished(content: Self.content, requests: 1...2, moment)
        expectNothingFetchedAgain(place, moment)
    }

    @Test("agent and host are killed together, and the next launch brings both back", arguments: points.indices)
    func both(index: Int) async throws {
        let (moment, point) = Self.points[index]
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        try place.stopNextAgent(at: point)
        let first = try place.startHost()
        try await place.wait(for: "the agent's stop") {
            !place.lines(of: place.killLog).filter { $0.hasPrefix("stopped ") }.isEmpty
        }
        await first.killAndWait()
        try await place.killStoppedAgent()
        let second = try place.startHost()
        #expect(await second.nextChange() == .exited(0), "\(moment)\n\(place.logs)")
        try await place.wait(for: "the agent to forget the transfer") { place.journal.isEmpty }
        // Once the outcome is delivered the successor may have run, and be killed before its commit.
        place.expectFinished(content: Self.content, requests: 1...2, effects: index < 5 ? 1...1 : 1...2, moment)
        expectNothingFetchedAgain(place, moment)
    }

    /// A second request may only ask for what was not on disk. The one exception is a small file whose body was complete
    /// before the journal knew what it belongs to: an agent that dies within that first commit fetches it again.
    private func expectNothingFetchedAgain(_ place: Workplace, _ moment: String) {
        guard place.server.requests.count == 2, !moment.contains("synchronized") else { return }
        #expect(
            place.server.requests[1].range?.start == Int64(Self.content.count), "\(moment)\n\(place.server.requests)")
    }

    @Test("killed in the middle of the body, the agent continues from the byte it had, under If-Range")
    func middleOfBody() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        place.server.setBehaviours([.holdAfter(bytes: 20_000), .correct], for: "/file")
        let host = try place.startHost()
        let held = try await stagedBytes(place, atLeast: 20_000)
        try await place.killAgents()
        #expect(await host.nextChange() == .exited(0), "\(place.logs)")
        try await place.wait(for: "the agent to forget the transfer") { place.journal.isEmpty }
        place.expectFinished(content: Self.content, requests: 2...2)
        let resumed = try #require(place.server.requests.last)
        #expect(resumed.status == 206)
        #expect(resumed.range?.start == held)
        #expect(resumed.header("If-Range") == "\"bytes\"")
    }

    @Test("a file that has changed meanwhile is downloaded from the beginning")
    func changedEntity() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        place.server.setBehaviours([.holdAfter(bytes: 20_000), .correct], for: "/file")
        let host = try place.startHost()
        _ = try await stagedBytes(place, atLeast: 20_000)
        let changed = Array(Self.content.reversed())
        place.server.serve(.bytes(changed, entityTag: "\"changed\""), at: "/file")
        try await place.killAgents()
        #expect(await host.nextChange() == .exited(0), "\(place.logs)")
        try await place.wait(for: "the agent to forget the transfer") { place.journal.isEmpty }
        place.expectFinished(content: changed, requests: 2...2)
        #expect(place.server.requests.last?.status == 200)
    }

    @Test("after a reboot only synchronized bytes count, whatever the length of the file")
    func reboot() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        place.server.setBehaviours([.holdAfter(bytes: 20_000), .correct], for: "/file")
        let first = try place.startHost()
        _ = try await stagedBytes(place, atLeast: 20_000)
        await first.killAndWait()
        try await place.killAgents()
        // What a power cut may leave: a length without its bytes, and another boot id than the journal's.
        let staging = place.directory + "/agent/staging"
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: staging).first)
        try Data(repeating: 0, count: 20_000).write(to: URL(filePath: staging + "/" + name))
        try place.pretendReboot()
        let second = try place.startHost()
        #expect(await second.nextChange() == .exited(0), "\(place.logs)")
        try await place.wait(for: "the agent to forget the transfer") { place.journal.isEmpty }
        place.expectFinished(content: Self.content, requests: 2...2)
        #expect(place.server.requests.last?.status == 200)
    }

    @Test("a lost journal has the transfer submitted again under a new generation")
    func lostJournal() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        place.server.setBehaviours([.holdAfter(bytes: 20_000), .correct], for: "/file")
        let first = try place.startHost()
        try await place.wait(for: "the hand-off") { place.state(of: "c/0.0") == 3 }
        _ = try await stagedBytes(place, atLeast: 20_000)
        await first.killAndWait()
        try await place.killAgents()
        try FileManager.default.removeItem(atPath: place.directory + "/agent")
        let second = try place.startHost(ordering: nil)
        #expect(await second.nextChange() == .exited(0), "\(place.logs)")
        try await place.wait(for: "the agent to forget the transfer") { place.journal.isEmpty }
        place.expectFinished(content: Self.content, requests: 2...2)
        let generation = place.query("work.sqlite", "SELECT generation FROM items WHERE id = 'c/0.0'") { $0.int(0) }
        #expect(generation == [2], "\(place.logs) \(place.server.requests)")
    }

    @Test("a damaged journal is renamed, and the transfer is submitted again")
    func damagedJournal() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        place.server.setBehaviours([.holdAfter(bytes: 20_000), .correct], for: "/file")
        let first = try place.startHost()
        try await place.wait(for: "the hand-off") { place.state(of: "c/0.0") == 3 }
        _ = try await stagedBytes(place, atLeast: 20_000)
        await first.killAndWait()
        try await place.killAgents()
        let journal = place.directory + "/agent/agent.sqlite"
        try Data(repeating: 0x2a, count: 8192).write(to: URL(filePath: journal))
        for suffix in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: journal + suffix) }
        let second = try place.startHost(ordering: nil)
        #expect(await second.nextChange() == .exited(0), "\(place.logs)")
        try await place.wait(for: "the agent to forget the transfer") { place.journal.isEmpty }
        place.expectFinished(content: Self.content, requests: 2...2)
        let names = try FileManager.default.contentsOfDirectory(atPath: place.directory + "/agent")
        #expect(names.contains { $0.hasPrefix("agent.sqlite.corrupt-") })
    }

    private func stagedBytes(_ place: Workplace, atLeast bytes: Int64) async throws -> Int64 {
        try await place.wait(for: "\(bytes) staged bytes") { (place.stagedBytes ?? 0) >= bytes }
        return try #require(place.stagedBytes)
    }
}
