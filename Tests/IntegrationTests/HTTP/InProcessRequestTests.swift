import BackgroundWork
import BackgroundWorkSystem
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// Requests in process, against nginx and a proxy.
@Suite(.serialized, .fewAtATime, .timeLimit(.minutes(5)))
struct InProcessRequestTests {
    private static let content = Data(HostDeathTests.content)

    private func serve(
        _ certificate: NginxServer.Certificate = .valid, _ directives: String = ""
    ) async throws -> (NginxServer, TemporaryFolder) {
        let folder = try TemporaryFolder()
        let root = folder.path + "/root"
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        for path in [folder.path, root] { chmod(path, 0o777) }
        try Self.content.write(to: URL(filePath: root + "/file"))
        let nginx = try await NginxServer(
            folder: folder.path, root: root, certificate: certificate, directives: directives)
        return (nginx, folder)
    }

    private func transport(_ change: (inout SecurityPolicy) -> Void = { $0 = .unrestricted }) -> HTTPTransport {
        var configuration = HTTPTransport.Configuration()
        change(&configuration.securityPolicy)
        return HTTPTransport(configuration: configuration)
    }

    private func failure(_ body: () async throws -> HTTPResponse) async -> HTTPError? {
        do {
            Issue.record("answered \(try await body().status)")
            return nil
        } catch {
            return error as? HTTPError
        }
    }

    @Test("an authority that the request names is trusted, and many requests share a connection by HTTP/2")
    func secure() async throws {
        let (nginx, folder) = try await serve()
        var request = HTTPRequest("https://127.0.0.1:\(nginx.tlsPort)/file")
        request.tls.additionalAuthoritiesPath = nginx.certificateAuthority
        request.tls.pinnedPublicKeys = [nginx.pin]
        let transport = transport()
        try await withThrowingTaskGroup(of: Data.self) { [request] group in
            for _ in 0..<20 { group.addTask { try await transport.send(request).body } }
            for try await body in group { #expect(body == Self.content) }
        }
        let wait = try await comesTrue { nginx.requests.count == 20 }
        #expect(wait)
        #expect(nginx.requests.allSatisfy { $0.hasPrefix("GET /file HTTP/2.0 200") }, "\(nginx.requests)")
        withExtendedLifetime(folder) {}
    }

    @Test("certificates that are not trusted are errors with words, and are not worth another try")
    func untrusted() async throws {
        for certificate in [NginxServer.Certificate.selfSigned, .expired, .otherHost] {
            let (nginx, folder) = try await serve(certificate)
            var request = HTTPRequest("https://127.0.0.1:\(nginx.tlsPort)/file")
            if certificate != .selfSigned { request.tls.additionalAuthoritiesPath = nginx.certificateAuthority }
            let found = await failure { [request] in try await transport().send(request) }
            let error = try #require(found)
            #expect(error.message.contains("certificate is not trusted"), "\(certificate): \(error)")
            #expect(!error.isRetryable)
            withExtendedLifetime(folder) {}
        }
        let (nginx, folder) = try await serve()
        var request = HTTPRequest("https://127.0.0.1:\(nginx.tlsPort)/file")
        request.tls.additionalAuthoritiesPath = nginx.certificateAuthority
        request.tls.pinnedPublicKeys = [Data(count: 32).base64EncodedString()]
        let found = await failure { [request] in try await transport().send(request) }
        let error = try #require(found)
        #expect(error.message.contains("pinned"), "\(error)")
        withExtendedLifetime(folder) {}
    }

    @Test("a process that exits in the middle of its requests ends as it wanted to", arguments: [1, 8, 30])
    func exit(responses: Int) async throws {
        let (nginx, folder) = try await serve()
        let url = "https://127.0.0.1:\(nginx.tlsPort)/file"
        for run in 1...20 {
            let host = try ChildProcess(
                Programs.host, ["requesting", url, nginx.certificateAuthority, "\(responses)"],
                environment: ProcessInfo.processInfo.environment, log: folder.path + "/host.log")
            let log = { (try? String(contentsOfFile: folder.path + "/host.log", encoding: .utf8)) ?? "" }
            #expect(await host.nextChange() == .exited(0), "run \(run): \(log())")
        }
        withExtendedLifetime(folder) {}
    }

    @Test("https is not left by a redirect")
    func downgrade() async throws {
        let (nginx, folder) = try await serve(
            .valid, "location /down { return 302 http://127.0.0.1:1/file; }")
        var request = HTTPRequest("https://127.0.0.1:\(nginx.tlsPort)/down")
        request.tls.additionalAuthoritiesPath = nginx.certificateAuthority
        let error = await failure { [request] in try await transport().send(request) }
        #expect(error?.kind == .refused)
        withExtendedLifetime(folder) {}
    }

    @Test("a proxy is used when it is named, and gets what is for it")
    func proxy() async throws {
        let server = try LocalHTTPServer()
        try server.start()
        server.serve(.bytes(Array(Self.content)), at: "/file")
        let proxy = try ForwardProxy(hosts: ["files.example": server.port])
        var request = HTTPRequest("http://files.example/file")
        request.proxy = .url(proxy.url)
        #expect(try await transport().send(request).body == Self.content)
        #expect(proxy.requests.map(\.line) == ["GET http://files.example/file HTTP/1.1"])
        // It is on this machine.
        let refused = await failure { [request] in try await HTTPTransport().send(request) }
        #expect(refused?.kind == .refused, "\(String(describing: refused))")
    }

    @Test("an internationalized name is encoded, whatever the locale of the process is")
    func internationalized() async throws {
        let server = try LocalHTTPServer()
        try server.start()
        server.serve(.bytes(Array(Self.content)), at: "/file")
        // Foundation decodes it there.
        let proxy = try ForwardProxy(hosts: ["münchen.example": server.port])
        var request = HTTPRequest("http://münchen.example/file")
        request.proxy = .url(proxy.url)
        let response = try await transport().send(request)
        #expect(response.body == Self.content, "\(response.status) \(proxy.requests)")
        #expect(proxy.requests.map(\.line) == ["GET http://xn--mnchen-3ya.example/file HTTP/1.1"])
        withExtendedLifetime(server) {}
    }

    @Test("a key that is encrypted, without its password, is an error and not a question")
    func encryptedKey() async throws {
        let (nginx, folder) = try await serve()
        var request = HTTPRequest("https://127.0.0.1:\(nginx.tlsPort)/file")
        request.tls.additionalAuthoritiesPath = nginx.certificateAuthority
        request.tls.clientCertificatePath = nginx.clientCertificate
        request.tls.clientKeyPath = nginx.encryptedKey
        let error = await failure { [request] in try await transport().send(request) }
        #expect(error?.isRetryable == false, "\(String(describing: error))")
        request.tls.clientKeyPassword = "secret"
        #expect(try await transport().send(request).body == Self.content)
        withExtendedLifetime(folder) {}
    }

    @Test("what a tunnel's server answers is the response, and not what the proxy says of the tunnel")
    func tunnel() async throws {
        let (nginx, folder) = try await serve()
        let proxy = try ForwardProxy()
        var request = HTTPRequest("https://127.0.0.1:\(nginx.tlsPort)/missing")
        request.tls.additionalAuthoritiesPath = nginx.certificateAuthority
        request.proxy = .url(proxy.url)
        let response = try await transport().send(request)
        #expect(response.status == 404)
        #expect(response.headers["Server"]?.hasPrefix("nginx") == true, "\(response.headers)")
        #expect(proxy.requests.map(\.line) == ["CONNECT 127.0.0.1:\(nginx.tlsPort) HTTP/1.1"])
        withExtendedLifetime(folder) {}
    }

    @Test("an allowance is for what it names: a redirect to another port of the same machine is refused")
    func allowances() async throws {
        let (server, other) = (try LocalHTTPServer(), try LocalHTTPServer())
        for one in [server, other] {
            try one.start()
            one.serve(.bytes([1]), at: "/file")
        }
        server.setBehaviour(.redirect(to: other.url("/file")), for: "/away")
        server.setBehaviour(.redirect(to: "http://[::ffff:127.0.0.1]:\(other.port)/file"), for: "/mapped")
        server.setBehaviour(.redirect(to: "http://169.254.169.254/latest/meta-data"), for: "/metadata")
        let transport = transport { $0.allowedHosts = ["127.0.0.1:\(server.port)"] }
        #expect(try await transport.send(HTTPRequest(server.url("/file"))).status == 200)
        for path in ["/away", "/mapped", "/metadata"] {
            let error = await failure { try await transport.send(HTTPRequest(server.url(path))) }
            #expect(error?.kind == .refused, "\(String(describing: error))")
        }
        // A name that resolves to the address is allowed as well, and another address is not.
        #expect(try await transport.send(HTTPRequest("http://localhost:\(server.port)/file")).status == 200)
        let neighbor = await failure { try await transport.send(HTTPRequest("http://127.0.0.2:\(server.port)/file")) }
        #expect(neighbor?.kind == .refused, "\(String(describing: neighbor))")
        #expect(other.requests.isEmpty)
    }

    @Test("no secret of a request is in its errors, its description, or a dump of it")
    func secrets() async throws {
        var request = HTTPRequest(
            "http://user:Zq7-password@127.0.0.1:1/path?token=Zq7-signature", headers: ["X-Api-Key": "Zq7-key"])
        request.authentication = .bearer(token: "Zq7-bearer")
        request.proxy = .url("http://user:Zq7-proxy@127.0.0.1:1")
        var texts = ["\(request)", "\(request.headers)"]
        dump(request, to: &texts[0])
        let closed = await failure { [request] in try await transport().send(request) }
        texts.append(try #require(closed).description)
        let refused = await failure { [request] in try await HTTPTransport().send(request) }
        texts.append(try #require(refused).description)
        request.headers["X-Api-Key"] = "Zq7\nsecond"
        let invalid = await failure { [request] in try await transport().send(request) }
        texts.append(try #require(invalid).description)
        for text in texts { #expect(!text.contains("Zq7"), "\(text)") }
    }
}
