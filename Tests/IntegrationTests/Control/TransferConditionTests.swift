import BackgroundWorkModel
import BackgroundWorkTesting
import BackgroundWorkTransfers
import Foundation
import Testing

/// Transfers that wait for the device, and stop when it changes.
@Suite(.serialized, .fewAtATime)
struct TransferConditionTests {
    private static let content = HostDeathTests.content

    @Test(
        "without permission for metered networks a transfer waits for another, stops when it is lost, and resumes"
    )
    func metered() async throws {
        let place = try Workplace(serving: Self.content)
        place.server.setBehaviours([.holdAfter(bytes: 20_000), .correct], for: "/file")
        let device = try await DeviceAgentProcess(place)
        let client = AgentClient(place)
        await client.listen()
        try await client.download("d") { $0.options.allowsCellularAccess = false }
        try await device.watches(.unmeteredNetwork)
        #expect(try await client.phase("d") == .waiting(.network))
        try await device.set(.network)
        try await client.wait(for: "d", "waits") { $0.phase == .waiting(.unmeteredNetwork) }
        #expect(place.server.requests.isEmpty)
        try await device.set(.unmeteredNetwork)
        try await place.wait(for: "a part of the file") { (place.stagedBytes ?? 0) >= 20_000 }
        let bytes = try #require(place.stagedBytes)
        try await device.set(.network)
        try await client.wait(for: "d", "stops") { $0.phase == .waiting(.unmeteredNetwork) }
        await place.server.wait { $0.allSatisfy(\.isOver) }
        try await device.set(.unmeteredNetwork)
        try await client.expectDelivery(of: "d", content: Self.content)
        #expect(place.server.requests.count == 2)
        #expect(place.server.requests.last?.range?.start == bytes)
        #expect(client.outcomes.first?.details?.requests == 2)
        await client.service.disconnect()
        await device.kill()
    }

    @Test("a discretionary transfer waits for power as well, and others do not wait with it")
    func discretionary() async throws {
        let place = try Workplace(serving: Self.content)
        let device = try await DeviceAgentProcess(place)
        let client = AgentClient(place)
        await client.listen()
        try await client.download("d") { $0.options.isDiscretionary = true }
        try await device.watches([.unmeteredNetwork, .charging])
        try await device.set(.unmeteredNetwork)
        try await client.wait(for: "d", "waits") { $0.phase == .waiting(.power) }
        try await client.download("ordinary")
        try await client.expectDelivery(of: "ordinary", content: Self.content)
        #expect(place.server.requests.count == 1)
        try await device.set([.unmeteredNetwork, .charging])
        try await client.expectDelivery(of: "d", content: Self.content)
        await client.service.disconnect()
        await device.kill()
    }

    @Test("a transfer that begins to wait for something else does not stop those that run")
    func newWatch() async throws {
        let place = try Workplace(serving: Self.content)
        place.server.setBehaviour(.holdAfter(bytes: 20_000), for: "/file")
        let device = try await DeviceAgentProcess(place)
        let client = AgentClient(place)
        await client.listen()
        try await client.download("runs") { $0.options.allowsCellularAccess = false }
        try await device.watches(.unmeteredNetwork)
        try await device.set(.unmeteredNetwork)
        try await client.wait(for: "runs", "runs") { $0.receivedBytes >= 20_000 }
        // Nothing has been said of power yet.
        try await client.download("waits") { $0.options.isDiscretionary = true }
        try await device.watches([.unmeteredNetwork, .charging])
        #expect(try await client.phase("waits") == .waiting(.power))
        #expect(try await client.phase("runs") == .running)
        try await client.service.cancel(client.reference("waits"))
        try await device.watches(.unmeteredNetwork)
        #expect(try await client.phase("runs") == .running)
        place.server.release("/file")
        try await client.expectDelivery(of: "runs", content: Self.content)
        #expect(place.server.requests.count == 1)
        await client.service.disconnect()
        await device.kill()
    }

    @Test("a paused transfer is not started by the device")
    func paused() async throws {
        let place = try Workplace(serving: Self.content)
        let device = try await DeviceAgentProcess(place)
        let client = AgentClient(place)
        await client.listen()
        try await client.download("d") { $0.options.isDiscretionary = true }
        try await device.watches([.unmeteredNetwork, .charging])
        try await client.service.setPaused(client.reference("d"), true)
        // Another keeps the device in view.
        try await client.download("other") { $0.options.isDiscretionary = true }
        try await device.watches([.unmeteredNetwork, .charging])
        try await device.set(.all)
        try await client.expectDelivery(of: "other", content: Self.content)
        #expect(try await client.phase("d") == .paused)
        #expect(place.server.requests.count == 1)
        try await client.service.setPaused(client.reference("d"), false)
        try await device.watches([.unmeteredNetwork, .charging])
        try await device.set(.all)
        try await client.expectDelivery(of: "d", content: Self.content)
        await client.service.disconnect()
        await device.kill()
    }

    // MARK: No network

    /// Where nobody listens, at an address that leads to this machine but is not taken for its own before a connection
    /// stands.
    private func silentAddress() throws -> (url: String, port: UInt16) {
        let port = try NginxServer.freePort()
        return ("http://0.0.0.0:\(port)/file", port)
    }

    @Test("while there is no network, no attempt is used up: it waits, and continues when there is one")
    func noNetwork() async throws {
        let place = try Workplace(serving: Self.content)
        let (url, port) = try silentAddress()
        let device = try await DeviceAgentProcess(place)
        let client = AgentClient(place)
        await client.listen()
        // One attempt: with a network, this would be the end of it.
        try await client.start(client.specification("d", url: url))
        for _ in 0..<3 {
            try await device.watches(.network)
            try await device.set([])
            try await client.wait(for: "d", "waits") { $0.phase == .waiting(.network) }
            try await device.set(.network)
        }
        try await device.watches(.network)
        try await device.set([])
        try await client.wait(for: "d", "waits") { $0.phase == .waiting(.network) }
        let server = try LocalHTTPServer(port: port)
        defer { server.stop() }
        server.serve(.bytes(Self.content), at: "/file")
        try server.start()
        try await device.set(.network)
        try await client.expectDelivery(of: "d", content: Self.content)
        await client.service.disconnect()
        await device.kill()
    }

    @Test("with a network, a lost connection counts as an attempt")
    func network() async throws {
        let place = try Workplace(serving: Self.content)
        let (url, _) = try silentAddress()
        let device = try await DeviceAgentProcess(place)
        let client = AgentClient(place)
        await client.listen()
        try await client.start(client.specification("d", url: url) { $0.options.retry = .atOnce(2) })
        for _ in 0..<2 {
            try await device.watches(.network)
            try await device.set(.network)
        }
        let failure = try await client.outcome("d").failure
        #expect(failure?.kind == .network, "\(failure?.message ?? "")")
        #expect(failure?.message.contains("attempt 2 of 2") == true, "\(failure?.message ?? "")")
        await client.service.disconnect()
        await device.kill()
    }

    @Test("a server on this machine needs no network")
    func loopback() async throws {
        let place = try Workplace(serving: Self.content)
        place.server.setBehaviour(.resetAfter(bytes: 10_000), for: "/file")
        let device = try await DeviceAgentProcess(place)
        let client = AgentClient(place)
        await client.listen()
        try await client.download("d") { $0.options.retry = .atOnce(2) }
        #expect(try await client.outcome("d").failure?.isRetryable == true)
        #expect(place.server.requests.count == 2)
        #expect(!place.lines(of: place.hostLog).contains { $0.hasPrefix("watches") })
        await client.service.disconnect()
        await device.kill()
    }

    @Test("a rejection by the server does not depend on the network")
    func refusal() async throws {
        let place = try Workplace(serving: Self.content)
        place.server.setBehaviour(.status(404), for: "/file")
        let device = try await DeviceAgentProcess(place)
        let client = AgentClient(place)
        await client.listen()
        try await client.start(client.specification("d", url: place.server.url("/file")))
        #expect(try await client.outcome("d").failure?.statusCode == 404)
        #expect(!place.lines(of: place.hostLog).contains { $0.hasPrefix("watches") })
        await client.service.disconnect()
        await device.kill()
    }
}
