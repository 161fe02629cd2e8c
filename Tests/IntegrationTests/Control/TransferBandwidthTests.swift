import BackgroundWork
import BackgroundWorkTesting
import BackgroundWorkTransfers
import Testing

/// Limits on the speed of one transfer and of all.
@Suite(.serialized, .fewAtATime)
struct TransferBandwidthTests {
    private static let content = HostDeathTests.content

    private func place() throws -> Workplace {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        place.server.acceptUploads(at: "/upload")
        return place
    }

    /// So slow that a file of eight mebibytes takes hours.
    private static let slow: Int64 = 1000

    /// What holds on a machine however busy: the time that is measured only gets longer by that.
    @Test("never more bytes are transferred than the limit and the time allow", arguments: [1, 4])
    func neverMore(connections: Int) async throws {
        let place = try place()
        let (bytes, limit) = (Int64(2_500_000), 5_000_000.0)
        place.server.serve(.generated(bytes: bytes), at: "/file")
        try place.makeSource(bytes: Int(bytes))
        let client = await AgentClient.listening(place)
        let start = ContinuousClock.now
        try await client.download("down", "/file") {
            $0.options.bytesPerSecond = Int64(limit)
            if case .download(var job) = $0.job {
                job.connections = .fixed(connections)
                $0.job = .download(job)
            }
        }
        #expect(try await client.outcome("down").isSuccess)
        let first = ContinuousClock.now
        #expect(Double(bytes) <= limit * ((first - start) / .seconds(1)))
        try await client.upload("up") { $0.options.bytesPerSecond = Int64(limit) }
        #expect(try await client.outcome("up").isSuccess)
        #expect(Double(bytes) <= limit * ((ContinuousClock.now - first) / .seconds(1)))
        await client.service.disconnect()
    }

    @Test("a transfer's own limit slows it, and not the others")
    func ownBandwidth() async throws {
        let place = try place()
        for path in ["/slow", "/fast"] { place.server.serve(.generated(bytes: 8 << 20), at: path) }
        let client = await AgentClient.listening(place)
        try await client.download("slow", "/slow") { $0.options.bytesPerSecond = Self.slow }
        await place.server.wait { !$0.isEmpty }
        try await client.download("fast", "/fast")
        #expect(try await client.outcome("fast").isSuccess)
        let slow = try await client.snapshot("slow")
        #expect(slow?.phase == .running)
        #expect((slow?.receivedBytes ?? .max) < 8 << 20)
        await client.service.disconnect()
    }

    @Test("an upload's own limit slows it, and not the others")
    func uploadBandwidth() async throws {
        let place = try place()
        try place.makeSource(bytes: 8 << 20)
        let client = await AgentClient.listening(place)
        try await client.upload("slow") { $0.options.bytesPerSecond = Self.slow }
        await place.server.wait { !$0.isEmpty }
        place.server.acceptUploads(at: "/fast")
        try await client.upload("fast", "/fast")
        #expect(try await client.outcome("fast").isSuccess)
        #expect(try await client.phase("slow") == .running)
        await client.service.disconnect()
    }

    @Test("the limit of all is kept, and removed during a transfer by a host without one")
    func overallBandwidth() async throws {
        let place = try place()
        let content = Workplace.content(bytes: 2 << 20)
        place.server.serve(.bytes(content), at: "/big")
        let first = await AgentClient.listening(place) { $0.bytesPerSecond = Self.slow }
        try await first.download("d", "/big")
        await place.server.wait { !$0.isEmpty }
        // A small transfer of another host finishes nevertheless.
        place.server.serve(.bytes([1, 2, 3]), at: "/small")
        try await first.download("small", "/small")
        try await first.expectDelivery(of: "small", content: [1, 2, 3])
        #expect(try await first.phase("d") == .running)
        await first.service.disconnect()
        let second = await AgentClient.listening(place)
        // No byte is duplicated or missing where the limit has split the received data.
        try await second.expectDelivery(of: "d", content: content)
        #expect(place.server.requests.filter { $0.path == "/big" }.count == 1)
        await second.service.disconnect()
    }
}
