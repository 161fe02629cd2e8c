import BackgroundWork
import BackgroundWorkModel
import BackgroundWorkTesting
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

/// Transfers through a proxy.
@Suite(.serialized, .fewAtATime)
struct ProxyTests {
    private static let content = HostDeathTests.content
    private static let url = "http://files.example/file"

    @Test("a download goes through the request's proxy, which looks the name up")
    func request() async throws {
        let place = try Workplace(serving: Self.content)
        let proxy = try ForwardProxy(hosts: ["files.example": place.server.port])
        let event = try await place.run(try place.download(url: Self.url) { $0.options.proxy = .url(proxy.url) })
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(place.hasSaved(Self.content))
        #expect(proxy.requests.map(\.line) == ["GET http://files.example/file HTTP/1.1"])
        #expect(place.server.requests.count == 1)
    }

    @Test("an upload goes through the request's proxy")
    func upload() async throws {
        let place = try Workplace(serving: Self.content)
        place.server.acceptUploads(at: "/upload")
        let content = try place.makeSource(bytes: 700_000)
        let proxy = try ForwardProxy(hosts: ["files.example": place.server.port])
        let event = try await place.run(
            try place.upload {
                $0.url = "http://files.example/upload"
                $0.options.proxy = .url(proxy.url)
            })
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(place.server.uploads(at: "/upload").map(\.bytes) == [content])
        #expect(proxy.requests.count == 1)
    }

    @Test("the proxy's credentials go to it, and not to the server; the server's go through")
    func credentials() async throws {
        let place = try Workplace(serving: Self.content)
        place.server.require(.basic(user: "me", password: "mine"), for: "/file")
        let proxy = try ForwardProxy(hosts: ["files.example": place.server.port], user: "pat:se cret")
        let url = proxy.url.replacing("http://", with: "http://pat:se%20cret@")
        let event = try await place.run(
            try place.download(url: Self.url) {
                $0.options.proxy = .url(url)
                $0.options.authentication = .basic(user: "me", password: "mine")
            })
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(proxy.requests.map(\.status) == [200])
        #expect(place.server.requests.allSatisfy { $0.header("Proxy-Authorization") == nil })
        #expect(!place.lines(of: place.agentLog).contains { $0.contains("cret") })
    }

    @Test("a proxy that refuses the credentials is a failure that says so, and the request goes nowhere else")
    func refused() async throws {
        let place = try Workplace(serving: Self.content)
        let proxy = try ForwardProxy(hosts: ["files.example": place.server.port], user: "pat:secret")
        let url = proxy.url.replacing("http://", with: "http://pat:wrong-word@")
        let event = try await place.run(try place.download(url: Self.url) { $0.options.proxy = .url(url) })
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains("407") == true, "\(event?.message ?? "")")
        #expect(event?.message?.contains("wrong-word") == false)
        #expect(place.server.requests.isEmpty)
    }

    @Test("a missing proxy is a failure, and is never skipped")
    func absent() async throws {
        let place = try Workplace(serving: Self.content)
        let proxy = try ForwardProxy()
        let url = proxy.url
        proxy.stop()
        let event = try await place.run(try place.download { $0.options.proxy = .url(url) })
        #expect(event?.outcome == .failed)
        #expect(place.server.requests.isEmpty)
    }

    @Test("a request that names no proxy goes to this machine's own addresses directly")
    func automatic() async throws {
        let place = try Workplace(serving: Self.content)
        let event = try await place.run(try place.download())
        #expect(event?.success == true, "\(event?.message ?? "")")
    }

    // MARK: The address policy

    /// What the agent itself says of a transfer under the policy for the public internet.
    private func refusal(_ place: Workplace, url: String, proxy: ForwardProxy) async throws -> TransferFailure? {
        let client = AgentClient(place)
        await client.listen()
        try await client.download("one") {
            $0.url = url
            $0.securityPolicy = .publicInternet
            $0.options.proxy = .url(proxy.url)
        }
        let failure = try await client.outcome("one").failure
        await client.service.disconnect()
        #expect(failure?.kind == .refused)
        return failure
    }

    @Test("under the policy for the public internet the proxy's own address is judged as any other")
    func policyAndProxy() async throws {
        let place = try Workplace(serving: Self.content)
        let proxy = try ForwardProxy(hosts: ["files.example": place.server.port])
        let failure = try await refusal(place, url: Self.url, proxy: proxy)
        #expect(failure?.message.contains("of its proxy") == true, "\(failure?.message ?? "")")
        #expect(proxy.requests.isEmpty)
        #expect(place.server.requests.isEmpty)
    }

    @Test(
        "a literal address is rejected before the proxy is contacted",
        arguments: ["127.0.0.1", "127.1", "2130706433", "0x7f000001", "localhost", "%6cocalhost", "127.0.0.1."])
    func policyAndAddress(host: String) async throws {
        let place = try Workplace(serving: Self.content)
        let proxy = try ForwardProxy()
        let failure = try await refusal(place, url: "http://\(host):\(place.server.port)/file", proxy: proxy)
        #expect(failure?.message.contains("policy") == true, "\(failure?.message ?? "")")
        #expect(proxy.requests.isEmpty)
        #expect(place.server.requests.isEmpty)
    }

    // MARK: The environment

    /// Runs the chain in a host with these variables, and returns the event of its download.
    private func host(_ place: Workplace, url: String, _ environment: [String: String]) async throws -> Workplace.Event?
    {
        var all = environment
        all["PATH"] = ProcessInfo.processInfo.environment["PATH"]
        all["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
        let host = try ChildProcess(
            Programs.host,
            [
                "--directory", place.directory, "--agent", place.agentScript, "--url", url, "--save-path",
                place.savePath, "--attempts", "1",
            ], environment: all, log: place.hostLog)
        #expect(await host.nextChange() == .exited(0), "\(place.logs)")
        return place.events.first
    }

    @Test("the environment's proxy is used", arguments: ["http_proxy", "all_proxy", "ALL_PROXY"])
    func environment(variable: String) async throws {
        let place = try Workplace(serving: Self.content)
        let proxy = try ForwardProxy(hosts: ["files.example": place.server.port])
        let event = try await host(place, url: Self.url, [variable: proxy.url, "no_proxy": "other.example"])
        #expect(event?.outcome == "succeeded", "\(event?.message ?? "")")
        #expect(place.hasSaved(Self.content))
        #expect(proxy.requests.count == 1)
    }

    @Test(
        "the environment's proxy is not used for hosts that no_proxy lists, and for this machine",
        arguments: ["files.example", ".example", "*"])
    func except(list: String) async throws {
        let place = try Workplace(serving: Self.content)
        let proxy = try ForwardProxy(hosts: ["files.example": place.server.port])
        let direct = try await host(place, url: Self.url, ["http_proxy": proxy.url, "no_proxy": list])
        #expect(direct?.outcome == "failed", "nobody but the proxy knows that name")
        #expect(proxy.requests.isEmpty)

        let home = try Workplace(serving: Self.content)
        let event = try await host(home, url: home.server.url("/file"), ["http_proxy": proxy.url])
        #expect(event?.outcome == "succeeded", "\(event?.message ?? "")")
        #expect(proxy.requests.isEmpty)
    }

    @Test("a proxy in the environment that cannot be used fails the request, and names the variable")
    func unusable() async throws {
        let place = try Workplace(serving: Self.content)
        let event = try await host(place, url: Self.url, ["http_proxy": "gopher://p:1"])
        #expect(event?.outcome == "failed")
        #expect(event?.message.contains("http_proxy") == true, "\(event?.message ?? "")")
    }

    @Test("the agent's own environment decides nothing")
    func agentEnvironment() async throws {
        let place = try Workplace(serving: Self.content)
        let proxy = try ForwardProxy()
        try place.runAgentsIn("env http_proxy=\(proxy.url) ALL_PROXY=\(proxy.url)")
        let event = try await place.run(try place.download())
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(proxy.requests.isEmpty)
    }
}
