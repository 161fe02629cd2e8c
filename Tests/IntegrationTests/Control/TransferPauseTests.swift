import BackgroundWork
import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTesting
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

/// Pausing, priorities, limits and deadlines, as the agent keeps them.
@Suite(.serialized, .fewAtATime)
struct TransferPauseTests {
    private static let content = HostDeathTests.content

    private func place() throws -> Workplace {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        place.server.acceptUploads(at: "/upload")
        return place
    }

    private func client(_ place: Workplace, _ change: (inout TransferLimits) -> Void = { _ in }) async -> AgentClient {
        var limits = TransferLimits()
        change(&limits)
        let client = AgentClient(place, limits: limits)
        await client.listen()
        return client
    }

    private func delivers(_ client: AgentClient, _ name: String, _ content: [UInt8] = content) async throws {
        guard case .delivered(let path, _, _, _) = try await client.outcome(name) else {
            Issue.record("\(name): \(try await client.outcome(name)) \(client.place.logs)")
            return
        }
        #expect(client.place.hasSaved(content, at: path))
    }

    // MARK: Pausing

    @Test("a download that is paused under way stops, and goes on from the byte it had")
    func pausedUnderWay() async throws {
        let place = try place()
        place.server.setBehaviours([.holdAfter(bytes: 20_000), .correct], for: "/file")
        let client = await client(place)
        try await client.download("d")
        try await place.wait(for: "a part of the file") { (place.stagedBytes ?? 0) >= 20_000 }
        let bytes = try #require(place.stagedBytes)
        try await client.service.setPaused(client.reference("d"), true)
        #expect(try await client.phase("d") == .paused)
        await place.server.wait { $0.allSatisfy(\.isOver) }
        #expect(place.server.requests.count == 1)
        try await client.service.setPaused(client.reference("d"), false)
        try await delivers(client, "d")
        #expect(place.server.requests.count == 2)
        #expect(place.server.requests.last?.range?.start == bytes)
        await client.service.disconnect()
    }

    @Test("one that is paused before its start asks nothing of the server until it may")
    func pausedBefore() async throws {
        let place = try place()
        let client = await client(place)
        let specification = client.specification("d", url: place.server.url("/file"))
        _ = try await client.service.reserve(specification)
        try await client.service.setPaused(specification.reference, true)
        try await client.service.resume(specification.reference)
        #expect(try await client.phase("d") == .paused)
        // Another that comes later is done before it.
        try await client.download("other")
        try await delivers(client, "other")
        #expect(place.server.requests.count == 1)
        #expect(try await client.phase("d") == .paused)
        try await client.service.setPaused(specification.reference, false)
        try await delivers(client, "d")
        await client.service.disconnect()
    }

    @Test("a paused transfer stays paused through the agent's death, and keeps no agent from leaving")
    func pausedThroughDeath() async throws {
        let place = try Workplace(idleExit: 0)
        place.server.serve(.bytes(Self.content), at: "/file")
        place.server.setBehaviours([.holdAfter(bytes: 20_000), .correct], for: "/file")
        let first = await client(place)
        try await first.download("d")
        try await place.wait(for: "a part of the file") { (place.stagedBytes ?? 0) >= 20_000 }
        try await first.service.setPaused(first.reference("d"), true)
        try await place.killAgents()
        #expect(try await first.phase("d") == .paused)
        await first.service.disconnect()
        try await place.wait(for: "the agent to leave") { place.agents.isEmpty }
        let second = await client(place)
        #expect(try await second.phase("d") == .paused)
        #expect(try await second.snapshot("d")?.receivedBytes ?? 0 >= 0)
        #expect(place.server.requests.count == 1)
        try await second.service.setPaused(second.reference("d"), false)
        try await delivers(second, "d")
        #expect(place.server.requests.count == 2)
        #expect((place.server.requests.last?.range?.start ?? 0) >= 20_000)
        await second.service.disconnect()
    }

    @Test("an upload that is paused begins anew, and one by tus goes on")
    func pausedUpload() async throws {
        let place = try place()
        place.server.acceptTus(at: "/files")
        let content = try place.makeSource(bytes: 16 << 20)
        place.server.setBehaviours([.holdUpload(after: 1 << 20), .correct], for: "/upload")
        place.server.setBehaviours([.holdUpload(after: 1 << 20), .correct], for: "/files", method: "PATCH")
        let client = await client(place)
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

    @Test("pausing and letting go in a row ends with what was asked last, and with one whole file")
    func manyTimes() async throws {
        let place = try place()
        place.server.serve(.generated(bytes: 8 << 20), at: "/big")
        place.server.setBehaviour(.throttle(bytesPerSecond: 16 << 20), for: "/big")
        let client = await client(place)
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

    @Test("whoever lets a transfer go on does not wait for its next attempt")
    func nextAttempt() async throws {
        let place = try place()
        place.server.setBehaviours([.status(503, retryAfter: .seconds(3600)), .correct], for: "/file")
        let client = await client(place)
        try await client.download("d") { $0.options.retry = .atOnce(3) }
        try await client.wait(for: "d", "waits") { $0.phase == .waiting(.nextTry) }
        try await client.service.setPaused(client.reference("d"), true)
        try await client.service.setPaused(client.reference("d"), false)
        try await delivers(client, "d")
        await client.service.disconnect()
    }

    @Test("neither a cancelled nor an unknown transfer is in the way of pausing")
    func cancelled() async throws {
        let place = try place()
        place.server.setBehaviour(.holdAfter(bytes: 20_000), for: "/file")
        let client = await client(place)
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

    // MARK: Places

    @Test("places of a host go by priority, then by who came first")
    func priorities() async throws {
        let place = try place()
        place.server.setBehaviour(.holdAfter(bytes: 10), for: "/held")
        place.server.serve(.bytes(Self.content), at: "/held")
        let client = await client(place) { $0.perHost = 1 }
        try await client.download("held", "/held")
        try await client.wait(for: "held", "runs") { $0.phase == .running }
        let waiting: [(String, WorkPriority)] = [
            ("low", .low), ("normal-1", .normal), ("critical", .critical), ("normal-2", .normal), ("high", .high),
        ]
        for (name, priority) in waiting {
            place.server.serve(.bytes(Self.content), at: "/\(name)")
            try await client.download(name, "/\(name)") { $0.options.priority = priority }
            #expect(try await client.phase(name) == .waiting(.place))
        }
        #expect(place.server.requests.map(\.path) == ["/held"])
        place.server.release("/held")
        for (name, _) in waiting { try await delivers(client, name) }
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
        let client = await client(place) {
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
        #expect(list.filter { $0.phase == .waiting(.place) }.count == 2)
        // Each that ends makes room for another.
        for name in ["a1", "a2", "b1", "b2"] {
            for server in [place.server, other] { server.release("/" + name) }
        }
        for name in ["a1", "a2", "b1", "b2"] { try await delivers(client, name) }
        await client.service.disconnect()
    }

    @Test("limits that a host raises let those that wait begin, and are there after the agent's death")
    func raised() async throws {
        let place = try place()
        place.server.setBehaviour(.holdAfter(bytes: 10), for: "/file")
        let first = await client(place) { $0.overall = 1 }
        for name in ["a", "b", "c"] { try await first.download(name) }
        #expect(try await first.phase("b") == .waiting(.place))
        await first.service.disconnect()
        let second = await client(place) { $0.overall = 2 }
        try await second.wait(for: "b", "runs") { $0.phase == .running }
        #expect(try await second.phase("c") == .waiting(.place))
        await second.service.disconnect()
        try await place.killAgents()
        let agent = try ChildProcess(
            Programs.agent, ["agent", "--directory", place.directory], environment: [:], log: place.hostLog)
        // The dead agent's two may not be over yet as the server sees it.
        await place.server.wait { $0.dropFirst(2).filter { !$0.isOver && $0.bodyBytes >= 10 }.count == 2 }
        #expect(place.server.requests.count == 4, "\(place.server.requests.count)")
        await agent.killAndWait()
    }

    @Test("limits below one are refused")
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

    // MARK: Bandwidth

    /// So slow that a file of eight mebibytes takes hours.
    private static let slow: Int64 = 1000

    /// What holds on a machine however busy: the time that is measured only gets longer by that.
    @Test("never more is moved than the limit and the time allow", arguments: [1, 4])
    func neverMore(connections: Int) async throws {
        let place = try place()
        let (bytes, limit) = (Int64(2_500_000), 5_000_000.0)
        place.server.serve(.generated(bytes: bytes), at: "/file")
        try place.makeSource(bytes: Int(bytes))
        let client = await client(place)
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
        let client = await client(place)
        try await client.download("slow", "/slow") { $0.options.bytesPerSecond = Self.slow }
        await place.server.wait { !$0.isEmpty }
        try await client.download("fast", "/fast")
        #expect(try await client.outcome("fast").isSuccess)
        let slow = try await client.snapshot("slow")
        #expect(slow?.phase == .running)
        #expect((slow?.receivedBytes ?? .max) < 8 << 20)
        await client.service.disconnect()
    }

    @Test("so it is with an upload")
    func uploadBandwidth() async throws {
        let place = try place()
        try place.makeSource(bytes: 8 << 20)
        let client = await client(place)
        try await client.upload("slow") { $0.options.bytesPerSecond = Self.slow }
        await place.server.wait { !$0.isEmpty }
        place.server.acceptUploads(at: "/fast")
        try await client.upload("fast", "/fast")
        #expect(try await client.outcome("fast").isSuccess)
        #expect(try await client.phase("slow") == .running)
        await client.service.disconnect()
    }

    @Test("the limit of all is kept, and lifted under way by a host that knows of none")
    func overallBandwidth() async throws {
        let place = try place()
        let content = Workplace.content(bytes: 2 << 20)
        place.server.serve(.bytes(content), at: "/big")
        let first = await client(place) { $0.bytesPerSecond = Self.slow }
        try await first.download("d", "/big")
        await place.server.wait { !$0.isEmpty }
        // Something small of another host's making comes through all the same.
        place.server.serve(.bytes([1, 2, 3]), at: "/small")
        try await first.download("small", "/small")
        try await delivers(first, "small", [1, 2, 3])
        #expect(try await first.phase("d") == .running)
        await first.service.disconnect()
        let second = await client(place)
        // Nothing is there twice, and nothing left out, where the limit has cut what came.
        try await delivers(second, "d", content)
        #expect(place.server.requests.filter { $0.path == "/big" }.count == 1)
        await second.service.disconnect()
    }

    // MARK: Time

    @Test("a transfer does not begin before its time, whoever dies meanwhile")
    func earliestBegin() async throws {
        let place = try place()
        let client = await client(place)
        let hour: Int64 = 3_600_000
        let begin = WallTime.inMilliseconds(hour)
        try await client.download("d") { $0.options.earliestBegin = begin.date }
        #expect(try await client.phase("d") == .waiting(.earliestBegin))
        try await client.download("soon") { $0.options.earliestBegin = WallTime.inMilliseconds(200).date }
        try await delivers(client, "soon")
        #expect(place.server.requests.count == 1)
        #expect(try await client.phase("d") == .waiting(.earliestBegin))
        await client.service.disconnect()
        try await place.killAgents()
        // The hour passes while no agent runs.
        try SQLiteConnection(path: place.directory + "/agent/agent.sqlite", mode: .readWriteCreate).execute(
            "UPDATE transfers SET specification = replace(specification, '\(begin.milliseconds)', '1')")
        let next = await self.client(place)
        try await delivers(next, "d")
        await next.service.disconnect()
    }

    @Test(
        "a transfer that takes longer than it may fails, whatever it waits for",
        arguments: ["body", "attempt", "place", "paused"])
    func resourceTimeout(waiting: String) async throws {
        let place = try place()
        place.server.serve(.bytes(Self.content), at: "/held")
        place.server.setBehaviour(.holdAfter(bytes: 10), for: "/held")
        let client = await client(place) { $0.overall = waiting == "place" ? 1 : 5 }
        if waiting == "place" { try await client.download("held", "/held") }
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

    @Test("a server's wish to wait is granted, and outlives the agent")
    func retryAfter() async throws {
        let place = try place()
        place.server.setBehaviours([.status(503, retryAfter: .seconds(3600)), .correct], for: "/file")
        let client = await client(place)
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
        let next = await self.client(place)
        try await delivers(next, "d")
        #expect(place.server.requests.count == 2)
        await next.service.disconnect()
    }
}
