import BackgroundWorkSockets
import BackgroundWorkSystem
import Foundation
import TestSupport
import Testing

/// WebSockets through nginx, which ends TLS, and through a proxy.
@Suite(.serialized, .fewAtATime)
struct WebSocketTLSTests {
    private func serve(
        _ certificate: NginxServer.Certificate = .valid, _ directives: String = ""
    ) async throws -> (NginxServer, WebSocketPeer, TemporaryFolder) {
        let folder = try TemporaryFolder()
        let root = folder.path + "/root"
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        for path in [folder.path, root] { chmod(path, 0o777) }
        let peer = try await WebSocketPeer()
        let location = """
            location / {
              proxy_pass http://127.0.0.1:\(peer.number(of: .usual)); proxy_http_version 1.1;
              proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection "Upgrade";
            }
            """
        let nginx = try await NginxServer(
            folder: folder.path, root: root, certificate: certificate, directives: directives + location)
        return (nginx, peer, folder)
    }

    private func request(_ nginx: NginxServer, _ path: String) -> WebSocketRequest {
        var request = WebSocketRequest("wss://127.0.0.1:\(nginx.tlsPort)\(path)")
        request.tls.additionalAuthoritiesPath = nginx.certificateAuthority
        return request
    }

    private func transport() -> WebSocketTransport {
        var configuration = WebSocketTransport.Configuration()
        configuration.securityPolicy = .unrestricted
        return WebSocketTransport(configuration: configuration)
    }

    private func failure(_ request: WebSocketRequest) async -> WebSocketError? {
        do {
            _ = try await transport().connect(request)
            Issue.record("connected")
            return nil
        } catch {
            return error as? WebSocketError
        }
    }

    @Test("messages of every length go through TLS, also where the server would rather speak HTTP/2")
    func secure() async throws {
        let (nginx, peer, folder) = try await serve()
        var request = request(nginx, "/echo")
        request.tls.pinnedPublicKeys = [nginx.pin]
        request.compression = WebSocketCompression()
        let socket = try await transport().connect(request)
        for count in [1, 16_384, 16_385, 700_000] {
            let content = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 7) })
            try await socket.send(content)
            #expect(try await socket.receive() == .data(content))
        }
        try await socket.ping()
        await socket.close(reason: "done")
        #expect(socket.closeCode == .normal)
        withExtendedLifetime((peer, folder)) {}
    }

    @Test("what arrives by TLS faster than it is read is read on, also what is buffered there")
    func buffered() async throws {
        let (nginx, peer, folder) = try await serve()
        let socket = try await transport().connect(request(nginx, "/burst?n=5000"))
        var received: [String] = []
        for try await case .text(let text) in socket.messages { received.append(text) }
        #expect(received == (0..<5000).map(String.init))
        withExtendedLifetime((peer, folder)) {}
    }

    @Test("certificates that are not trusted, and other keys than the pinned ones, are refused with words")
    func untrusted() async throws {
        for certificate in [NginxServer.Certificate.selfSigned, .expired, .otherHost] {
            let (nginx, peer, folder) = try await serve(certificate)
            let error = await failure(request(nginx, "/echo"))
            #expect(error?.kind == .network && error?.isRetryable == false, "\(certificate)")
            #expect(error?.message.contains("not trusted") == true, "\(error?.message ?? "")")
            #expect(error?.message.hasPrefix("WebSocket wss://127.0.0.1") == true)
            withExtendedLifetime((peer, folder)) {}
        }
        let (nginx, peer, folder) = try await serve()
        var pinned = request(nginx, "/echo")
        pinned.tls.pinnedPublicKeys = [Data(count: 32).base64EncodedString()]
        #expect(await failure(pinned)?.message.contains("pinned") == true)
        withExtendedLifetime((peer, folder)) {}
    }

    @Test("a client certificate is shown")
    func clientCertificate() async throws {
        let (nginx, peer, folder) = try await serve(
            .valid, "ssl_client_certificate ca.crt; ssl_verify_client on; ")
        let error = await failure(request(nginx, "/echo"))
        #expect(error?.rejection?.status == 400 || error?.kind == .network, "\(String(describing: error))")
        var known = request(nginx, "/echo")
        known.tls.clientCertificatePath = nginx.clientCertificate
        known.tls.clientKeyPath = nginx.encryptedKey
        known.tls.clientKeyPassword = "secret"
        let socket = try await transport().connect(known)
        try await socket.send("hello")
        #expect(try await socket.receive() == .text("hello"))
        withExtendedLifetime((peer, folder)) {}
    }

    @Test(
        "a proxy is asked for a tunnel, for ws and for wss, and gets no header of the server's",
        arguments: [false, true])
    func proxied(isSecure: Bool) async throws {
        let (nginx, peer, folder) = try await serve()
        let proxy = try ForwardProxy(user: "u:p")
        var request = isSecure ? request(nginx, "/echo") : WebSocketRequest(peer.url("/echo"))
        request.proxy = .url(proxy.url.replacingOccurrences(of: "://", with: "://u:p@"))
        request.authentication = .bearer(token: "for-the-server")
        let socket = try await transport().connect(request)
        try await socket.send("hello")
        #expect(try await socket.receive() == .text("hello"))
        let last = try #require(proxy.requests.last)
        #expect(last.line.hasPrefix("CONNECT 127.0.0.1:") && last.headers["authorization"] == nil)
        request.proxy = .url(proxy.url)
        let error = await failure(request)
        #expect(error?.kind == .network, "\(String(describing: error))")
        withExtendedLifetime((peer, folder)) {}
    }
}
