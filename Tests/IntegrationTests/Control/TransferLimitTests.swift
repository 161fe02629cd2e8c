import BackgroundWork
import BackgroundWorkModel
import BackgroundWorkTesting
import BackgroundWorkTransfers
import TestSupport
import Testing

/// Limits on how many transfers run at the same time, and who goes first.
@Suite(.serialized, .fewAtATime)
struct TransferLimitTests {
    private static let content = HostDeathTests.content

    private func place() throws -> Workplace {
        try Workplace(serving: Self.content, acceptingUploadsAt: "/upload")
    }

    @Test("slots of a host are given by priority, then in order of arrival")
    func priorities() async throws {
        let place = try place()
        place.server.setBehaviour(.holdAfter(bytes: 10), for: "/held")
        place.server.serve(.bytes(Self.content), at: "/held")
        let client = await AgentClient.listening(place) { $0.perHost = 1 }
        try await client.download("held", "/held")
        try await client.wait(for: "held", "runs") { $0.phase == .running }
        let waiting: [(String, WorkPriority)] = [
            ("low", .low), ("normal-1", .normal), ("critical", .critical), ("normal-2", .normal), ("high", .high),
        ]
        for (name, priority) in waiting {
            place.server.serve(.bytes(Self.content), at: "/\(name)")
            try await client.download(name, "/\(name)") { $0.options.priority = priority }
            #expect(try await client.phase(name) == .waiting(.slot))
        }
        #expect(place.server.requests.map(\.path) == ["/held"])
        place.server.release("/held")
        for (name, _) in waiting { try await client.expectDelivery(of: name, content: Self.content) }
        #expect(
            place.server.requests.map(\.path) == ["/held", "/critical", "/high", "/normal-1", "/normal-2", "/low"])
        await client.service.disconnect()
    }

    enum Limit: String, CaseIterable { case overall, perHost, perSession }

    @Test("no more run at the same time than the limits say", arguments: Limit.allCases)
    func limits(limit: Limit) async throws {
        let place = try place()
        let other = try LocalHTTPServer()
        try other.start()
        defer { other.stop() }
        let client = await AgentClient.listening(place) {
            switch limit {
            case .overall: $0.overall = 2
            case .perHost: $0.perHost = 1
            case .perSession: $0.perSession = 1
            }
        }
        for (name, server, session) in [
            ("a1", place.server, "one"), ("a2", place.server, "two"), ("b1", other, "one"), ("b2", other, "two"),
        ] {
            server.serve(.bytes(Self.content), at: "/" + name)
            server.setBehaviour(.holdAfter(bytes: 10), for: "/" + name)
            var specification = client.specification(name, url: server.url("/" + name))
            specification.sessionIdentifier = session
            try await client.start(specification)
        }
        let runs =
            switch limit {
            case .overall: ["a1", "a2"]
            case .perHost: ["a1", "b1"]
            case .perSession: ["a1", "a2"]
            }
        let list = try await client.service.transfers()
        #expect(list.filter { $0.phase == .running }.map(\.reference.key.workID) == runs)
        #expect(list.filter { $0.phase == .waiting(.slot) }.count == 2)
        // Each that ends makes room for another.
        for name in ["a1", "a2", "b1", "b2"] {
            for server in [place.server, other] { server.release("/" + name) }
        }
        for name in ["a1", "a2", "b1", "b2"] { try await client.expectDelivery(of: name, content: Self.content) }
        await client.service.disconnect()
    }

    @Test("limits that a host raises let those that wait begin, and are there after the agent's death")
    func raised() async throws {
        let place = try place()
        place.server.setBehaviour(.holdAfter(bytes: 10), for: "/file")
        let first = await AgentClient.listening(place) { $0.overall = 1 }
        for name in ["a", "b", "c"] { try await first.download(name) }
        #expect(try await first.phase("b") == .waiting(.slot))
        await first.service.disconnect()
        let second = await AgentClient.listening(place) { $0.overall = 2 }
        try await second.wait(for: "b", "runs") { $0.phase == .running }
        #expect(try await second.phase("c") == .waiting(.slot))
        await second.service.disconnect()
        try await place.killAgents()
        let agent = try ChildProcess(
            Programs.agent, ["agent", "--directory", place.directory], environment: [:], log: place.hostLog)
        // The dead agent's two may not be over yet as the server sees it.
        await place.server.wait { $0.dropFirst(2).filter { !$0.isOver && $0.bodyBytes >= 10 }.count == 2 }
        #expect(place.server.requests.count == 4, "\(place.server.requests.count)")
        await agent.killAndWait()
    }

    @Test("limits below one are rejected")
    func refused() async throws {
        let place = try place()
        let service = AgentClient(
            place,
            limits: {
                var limits = TransferLimits(); limits.perHost = 0; return limits
            }())
        await #expect(throws: (any Error).self) {
            try await service.service.reserve(service.specification("d", url: "http://h/"))
        }
        await service.service.disconnect()
    }
}
