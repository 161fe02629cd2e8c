import BackgroundWork
import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTesting
import BackgroundWorkTransfers
import Foundation
import Testing

/// When a transfer may begin, how long it may take, and when it is tried again.
@Suite(.serialized, .fewAtATime)
struct TransferTimeTests {
    private static let content = HostDeathTests.content

    private func place() throws -> Workplace {
        try Workplace(serving: Self.content, acceptingUploadsAt: "/upload")
    }

    @Test("a transfer does not start before its time, whichever process dies meanwhile")
    func earliestBegin() async throws {
        let place = try place()
        let client = await AgentClient.listening(place)
        let hour: Int64 = 3_600_000
        let begin = WallTime.inMilliseconds(hour)
        try await client.download("d") { $0.options.earliestBegin = begin.date }
        #expect(try await client.phase("d") == .waiting(.earliestBegin))
        try await client.download("soon") { $0.options.earliestBegin = WallTime.inMilliseconds(200).date }
        try await client.expectDelivery(of: "soon", content: Self.content)
        #expect(place.server.requests.count == 1)
        #expect(try await client.phase("d") == .waiting(.earliestBegin))
        await client.service.disconnect()
        try await place.killAgents()
        // The hour passes while no agent runs.
        try SQLiteConnection(path: place.directory + "/agent/agent.sqlite", mode: .readWriteCreate).execute(
            "UPDATE transfers SET specification = replace(specification, '\(begin.milliseconds)', '1')")
        let next = await AgentClient.listening(place)
        try await next.expectDelivery(of: "d", content: Self.content)
        await next.service.disconnect()
    }

    @Test(
        "a transfer that takes longer than it may fails, whatever it waits for",
        arguments: ["body", "attempt", "slot", "paused"])
    func resourceTimeout(waiting: String) async throws {
        let place = try place()
        place.server.serve(.bytes(Self.content), at: "/held")
        place.server.setBehaviour(.holdAfter(bytes: 10), for: "/held")
        let client = await AgentClient.listening(place) { $0.overall = waiting == "slot" ? 1 : 5 }
        if waiting == "slot" { try await client.download("held", "/held") }
        if waiting == "attempt" { place.server.setBehaviour(.status(503, retryAfter: .seconds(3600)), for: "/file") }
        var specification = client.specification("d", url: place.server.url(waiting == "body" ? "/held" : "/file"))
        specification.options.resourceTimeout = .milliseconds(300)
        specification.options.retry = .atOnce(3)
        _ = try await client.service.reserve(specification)
        if waiting == "paused" { try await client.service.setPaused(specification.reference, true) }
        try await client.service.resume(specification.reference)
        let failure = try await client.outcome("d").failure
        #expect(failure?.kind == .limit, "\(failure?.message ?? "")")
        #expect(failure?.isRetryable == false)
        #expect(failure?.message.contains("resourceTimeout") == true, "\(failure?.message ?? "")")
        await client.service.disconnect()
    }

    @Test("the wait that a server asks for is respected, and survives the agent")
    func retryAfter() async throws {
        let place = try place()
        place.server.setBehaviours([.status(503, retryAfter: .seconds(3600)), .correct], for: "/file")
        let client = await AgentClient.listening(place)
        try await client.download("d") { $0.options.retry = .atOnce(3) }
        try await client.wait(for: "d", "waits") { $0.phase == .waiting(.nextTry) }
        try await place.wait(for: "the attempt's record") {
            place.query("agent/agent.sqlite", "SELECT failures FROM transfers") { $0.int(0) } == [1]
        }
        try await place.killAgents()
        #expect(try await client.phase("d") == .waiting(.nextTry))
        #expect(place.server.requests.count == 1)
        await client.service.disconnect()
        try await place.killAgents()
        try SQLiteConnection(path: place.directory + "/agent/agent.sqlite", mode: .readWriteCreate).execute(
            "UPDATE transfers SET next_attempt = next_attempt - 3600000")
        let next = await AgentClient.listening(place)
        try await next.expectDelivery(of: "d", content: Self.content)
        #expect(place.server.requests.count == 2)
        await next.service.disconnect()
    }
}
