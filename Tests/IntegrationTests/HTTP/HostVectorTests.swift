import BackgroundWorkModel
import BackgroundWorkTesting
import BackgroundWorkTransfers
import TestSupport
import Testing

/// The spellings of hosts, as libcurl itself reads them, with a server that counts connections.
@Suite(.serialized, .fewAtATime)
struct HostVectorTests {
    private static let content = HostDeathTests.content

    private func place() throws -> Workplace {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        return place
    }

    /// Ends when the server has accepted what was connected before.
    private func connections(of server: LocalHTTPServer, _ client: AgentClient) async throws -> Int {
        server.serve(.bytes(Self.content), at: "/last")
        try await client.download("last") { $0.url = server.url("/last") }
        #expect(try await client.outcome("last").isSuccess)
        return server.acceptedConnections
    }

    @Test("those that are said to lead to this machine do, when nothing forbids it")
    func control() async throws {
        let place = try place()
        let client = await AgentClient.listening(place)
        let vectors = HostVector.all.filter(\.dialsThisMachine)
        for (number, vector) in vectors.enumerated() {
            try await client.download("\(number)") { $0.url = vector.url(port: place.server.port) }
        }
        for (number, vector) in vectors.enumerated() {
            let failure = try await client.outcome("\(number)").failure
            #expect(failure == nil, "\(vector): \(failure?.message ?? "")")
        }
        #expect(place.server.requests.count == vectors.count)
        await client.service.disconnect()
    }

    @Test("whatever the policy for the public internet forbids is not connected, however libcurl reads it")
    func direct() async throws {
        let place = try place()
        let client = await AgentClient.listening(place)
        let vectors = HostVector.all.filter { $0.publicInternet == .forbidden }
        for (number, vector) in vectors.enumerated() {
            try await client.download("\(number)") {
                $0.url = vector.url(port: place.server.port)
                $0.securityPolicy = .publicInternet
            }
        }
        for (number, vector) in vectors.enumerated() {
            let failure = try #require(try await client.outcome("\(number)").failure, "\(vector)")
            #expect(failure.kind == .refused, "\(vector): \(failure.message)")
            #expect(!failure.isRetryable)
        }
        #expect(try await connections(of: place.server, client) == 1)
        await client.service.disconnect()
    }

    @Test("nor is it when a redirect leads there from a host that is allowed by name")
    func redirected() async throws {
        let place = try place()
        let other = try LocalHTTPServer()
        try other.start()
        defer { other.stop() }
        other.serve(.bytes(Self.content), at: "/file")
        var policy = SecurityPolicy.publicInternet
        policy.allowedHosts = ["127.0.0.1:\(place.server.port)"]
        let client = await AgentClient.listening(place)
        // Control characters would end the header.
        let vectors = HostVector.all.filter { vector in
            vector.publicInternet == .forbidden && vector.authority.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f }
        }
        for (number, vector) in vectors.enumerated() {
            let path = "/redirect/\(number)"
            place.server.setBehaviour(.redirect(to: vector.url(port: other.port)), for: path)
            try await client.download("\(number)", path) { $0.securityPolicy = policy }
        }
        for (number, vector) in vectors.enumerated() {
            #expect(try await client.outcome("\(number)").failure != nil, "\(vector)")
        }
        #expect(place.server.requests.count == vectors.count)
        #expect(try await connections(of: other, client) == 1)
        await client.service.disconnect()
    }

    @Test("a redirect to a port that is not allowed is not followed, and one to an allowed port is")
    func ports() async throws {
        let place = try place()
        let other = try LocalHTTPServer()
        try other.start()
        defer { other.stop() }
        other.serve(.bytes(Self.content), at: "/file")
        place.server.setBehaviour(.redirect(to: other.url("/file")), for: "/redirect")
        let client = await AgentClient.listening(place)
        var policy = SecurityPolicy.unrestricted
        policy.allowedPorts = [Int(place.server.port)]
        try await client.download("narrow", "/redirect") { $0.securityPolicy = policy }
        let failure = try await client.outcome("narrow").failure
        #expect(failure?.kind == .refused)
        #expect(failure?.message.contains("port \(other.port) of 127.0.0.1") == true, "\(failure?.message ?? "")")
        #expect(failure?.message.contains("allowedPorts") == true)
        policy.allowedPorts?.insert(Int(other.port))
        try await client.download("wide", "/redirect") { $0.securityPolicy = policy }
        #expect(try await client.outcome("wide").isSuccess)
        // The connections are still there, and the stricter policy applies to their use.
        policy.allowedPorts = [Int(place.server.port)]
        try await client.download("again", "/redirect") { $0.securityPolicy = policy }
        #expect(try await client.outcome("again").failure?.kind == .refused)
        #expect(other.requests.count == 1)
        await client.service.disconnect()
    }

    @Test("a connection to a host that one policy allows is not used under another one")
    func reuse() async throws {
        let place = try place()
        let client = await AgentClient.listening(place)
        func download(_ name: String, _ change: (inout SecurityPolicy) -> Void) async throws -> TransferFailure? {
            var policy = SecurityPolicy.publicInternet
            change(&policy)
            try await client.download(name) { $0.securityPolicy = policy }
            return try await client.outcome(name).failure
        }
        #expect(try await download("a") { $0.allowsLoopback = true } == nil)
        #expect(try await download("b") { _ in }?.kind == .refused)
        #expect(try await download("c") { $0.allowsPrivateNetworks = true }?.kind == .refused)
        #expect(try await download("d") { $0.allowedHosts = ["localhost"] }?.kind == .refused)
        #expect(try await download("e") { $0.allowedHosts = ["127.0.0.0/8"] } == nil)
        #expect(place.server.requests.count == 2)
        await client.service.disconnect()
    }
}
