import BackgroundWork
import BackgroundWorkTesting
import BackgroundWorkTransfers
import Testing

/// Pausing and resuming transfers, as the agent keeps it.
@Suite(.serialized, .fewAtATime)
struct TransferPauseTests {
    private static let content = HostDeathTests.content

    private func place() throws -> Workplace {
        try Workplace(serving: Self.content, acceptingUploadsAt: "/upload")
    }

    @Test("a running download that is paused stops, and continues at the byte that it had reached")
    func pausedUnderWay() async throws {
        let place = try place()
        place.server.setBehaviours([.holdAfter(bytes: 20_000), .correct], for: "/file")
        let client = await AgentClient.listening(place)
        try await client.download("d")
        try await place.wait(for: "a part of the file") { (place.stagedBytes ?? 0) >= 20_000 }
        let bytes = try #require(place.stagedBytes)
        try await client.service.setPaused(client.reference("d"), true)
        #expect(try await client.phase("d") == .paused)
        await place.server.wait { $0.allSatisfy(\.isOver) }
        #expect(place.server.requests.count == 1)
        try await client.service.setPaused(client.reference("d"), false)
        try await client.expectDelivery(of: "d", content: Self.content)
        #expect(place.server.requests.count == 2)
        #expect(place.server.requests.last?.range?.start == bytes)
        await client.service.disconnect()
    }

    @Test("a download that is paused before its start sends no request until it is resumed")
    func pausedBefore() async throws {
        let place = try place()
        let client = await AgentClient.listening(place)
        let specification = client.specification("d", url: place.server.url("/file"))
        _ = try await client.service.reserve(specification)
        try await client.service.setPaused(specification.reference, true)
        try await client.service.resume(specification.reference)
        #expect(try await client.phase("d") == .paused)
        // A later transfer finishes before it.
        try await client.download("other")
        try await client.expectDelivery(of: "other", content: Self.content)
        #expect(place.server.requests.count == 1)
        #expect(try await client.phase("d") == .paused)
        try await client.service.setPaused(specification.reference, false)
        try await client.expectDelivery(of: "d", content: Self.content)
        await client.service.disconnect()
    }

    @Test("a paused transfer stays paused through the agent's death, and keeps no agent from leaving")
    func pausedThroughDeath() async throws {
        let place = try Workplace(idleExit: 0)
        place.server.serve(.bytes(Self.content), at: "/file")
        place.server.setBehaviours([.holdAfter(bytes: 20_000), .correct], for: "/file")
        let first = await AgentClient.listening(place)
        try await first.download("d")
        try await place.wait(for: "a part of the file") { (place.stagedBytes ?? 0) >= 20_000 }
        try await first.service.setPaused(first.reference("d"), true)
        try await place.killAgents()
        #expect(try await first.phase("d") == .paused)
        await first.service.disconnect()
        try await place.wait(for: "the agent to leave") { place.agents.isEmpty }
        let second = await AgentClient.listening(place)
        #expect(try await second.phase("d") == .paused)
        #expect(try await second.snapshot("d")?.receivedBytes ?? 0 >= 0)
        #expect(place.server.requests.count == 1)
        try await second.service.setPaused(second.reference("d"), false)
        try await second.expectDelivery(of: "d", content: Self.content)
        #expect(place.server.requests.count == 2)
        #expect((place.server.requests.last?.range?.start ?? 0) >= 20_000)
        await second.service.disconnect()
    }

    @Test("an upload that is paused starts again, and one by tus continues")
    func pausedUpload() async throws {
        let place = try place()
        place.server.acceptTus(at: "/files")
        let content = try place.makeSource(bytes: 16 << 20)
        place.server.setBehaviours([.holdUpload(after: 1 << 20), .correct], for: "/upload")
        place.server.setBehaviours([.holdUpload(after: 1 << 20), .correct], for: "/files", method: "PATCH")
        let client = await AgentClient.listening(place)
        try await client.upload("body")
        try await client.upload("tus", "/files", form: .tus())
        await place.server.wait { $0.filter { $0.receivedBytes >= 1 << 20 }.count == 2 }
        for name in ["body", "tus"] {
            try await client.service.setPaused(client.reference(name), true)
            #expect(try await client.phase(name) == .paused)
        }
        for path in ["/upload", "/files", "/files/1"] { place.server.release(path) }
        await place.server.wait { $0.allSatisfy(\.isOver) }
        for name in ["body", "tus"] { try await client.service.setPaused(client.reference(name), false) }
        #expect(try await client.outcome("body").isSuccess)
        #expect(try await client.outcome("tus").isSuccess)
        #expect(place.server.uploads(at: "/upload").filter(\.isComplete).map { $0.bytes == content } == [true])
        #expect(place.server.tusUploads(at: "/files").map { $0.bytes == content } == [true])
        let patches = place.server.requests.filter { $0.method == "PATCH" }
        #expect(patches.reduce(0) { $0 + $1.receivedBytes } == 16 << 20)
        await client.service.disconnect()
    }

    @Test("consecutive pauses and resumptions end with the last request, and with one complete file")
    func manyTimes() async throws {
        let place = try place()
        place.server.serve(.generated(bytes: 8 << 20), at: "/big")
        place.server.setBehaviour(.throttle(bytesPerSecond: 16 << 20), for: "/big")
        let client = await AgentClient.listening(place)
        try await client.download("d", "/big")
        for _ in 0..<20 {
            try await client.service.setPaused(client.reference("d"), true)
            try await client.service.setPaused(client.reference("d"), false)
        }
        guard case .delivered(_, let bytes, _, _) = try await client.outcome("d") else {
            Issue.record("\(place.logs)")
            return
        }
        #expect(bytes == 8 << 20)
        await client.service.disconnect()
    }

    @Test("resuming a transfer does not wait for its next attempt")
    func nextAttempt() async throws {
        let place = try place()
        place.server.setBehaviours([.status(503, retryAfter: .seconds(3600)), .correct], for: "/file")
        let client = await AgentClient.listening(place)
        try await client.download("d") { $0.options.retry = .atOnce(3) }
        try await client.wait(for: "d", "waits") { $0.phase == .waiting(.nextTry) }
        try await client.service.setPaused(client.reference("d"), true)
        try await client.service.setPaused(client.reference("d"), false)
        try await client.expectDelivery(of: "d", content: Self.content)
        await client.service.disconnect()
    }

    @Test("pausing a cancelled or unknown transfer is not an error")
    func cancelled() async throws {
        let place = try place()
        place.server.setBehaviour(.holdAfter(bytes: 20_000), for: "/file")
        let client = await AgentClient.listening(place)
        try await client.service.setPaused(client.reference("unknown"), true)
        try await client.download("d")
        try await place.wait(for: "a part of the file") { (place.stagedBytes ?? 0) >= 20_000 }
        try await client.service.setPaused(client.reference("d"), true)
        try await client.service.cancel(client.reference("d"))
        try await client.service.setPaused(client.reference("d"), false)
        #expect(try await client.service.transfers().isEmpty)
        try await place.wait(for: "the staged bytes to go") { place.leftovers.isEmpty }
        await client.service.disconnect()
    }
}
