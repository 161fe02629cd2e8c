import BackgroundWork
import BackgroundWorkSystem
import BackgroundWorkTesting
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

/// TLS, against a server that this project did not write.
@Suite(.serialized, .fewAtATime)
struct TLSTests {
    private static let content = HostDeathTests.content

    private func serve(
        _ certificate: NginxServer.Certificate = .valid, _ directives: String = ""
    ) async throws -> (Workplace, NginxServer, TemporaryFolder) {
        let folder = try TemporaryFolder()
        let root = folder.path + "/root"
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        for path in [folder.path, root] { chmod(path, 0o777) }
        for name in ["file", "0", "1", "2", "3", "4", "5", "6", "7"] {
            try Data(Self.content).write(to: URL(filePath: root + "/" + name))
        }
        let nginx = try await NginxServer(
            folder: folder.path, root: root, certificate: certificate, directives: directives)
        return (try Workplace(), nginx, folder)
    }

    /// A download by TLS from a server whose authority is trusted.
    private func download(
        _ place: Workplace, _ nginx: NginxServer, _ change: (inout DownloadConfiguration) -> Void = { _ in }
    ) throws -> TaskRequest {
        try place.download(url: "https://127.0.0.1:\(nginx.tlsPort)/file") {
            $0.options.tls.additionalAuthoritiesPath = nginx.certificateAuthority
            $0.options.retry = .atOnce(3)
            change(&$0)
        }
    }

    private func fails(_ event: TaskCompletionEvent?, _ place: Workplace, with words: String...) {
        #expect(event?.outcome == .failed)
        for word in words {
            #expect(event?.message?.lowercased().contains(word) == true, "\(event?.message ?? "")")
        }
        #expect(event?.message?.contains("That was attempt") == false, "it is final: \(event?.message ?? "")")
        #expect(!FileManager.default.fileExists(atPath: place.savePath))
    }

    @Test("an authority that the request names is trusted, and HTTP/2 is spoken")
    func additionalAuthority() async throws {
        let (place, nginx, folder) = try await serve()
        let event = try await place.run(try download(place, nginx))
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(place.hasSaved(Self.content))
        try await place.wait(for: "nginx's log") { nginx.requests.count == 1 }
        #expect(nginx.requests.first?.hasPrefix("GET /file HTTP/2.0 200") == true, "\(nginx.requests)")
        withExtendedLifetime(folder) {}
    }

    @Test(
        "a certificate that is not the server's is rejected at once",
        arguments: [NginxServer.Certificate.otherHost, .expired, .selfSigned])
    func refused(certificate: NginxServer.Certificate) async throws {
        let (place, nginx, folder) = try await serve(certificate)
        let event = try await place.run(try download(place, nginx))
        fails(event, place, with: "certificate", "trying again does not help")
        #expect(nginx.requests.isEmpty)
        withExtendedLifetime(folder) {}
    }

    @Test("an invalid file of authorities fails with its name")
    func noAuthority() async throws {
        let (place, nginx, folder) = try await serve()
        let garbage = place.folder.path + "/garbage.pem"
        try Data("no certificate".utf8).write(to: URL(filePath: garbage))
        let event = try await place.run(
            try download(place, nginx) { $0.options.tls.additionalAuthoritiesPath = garbage })
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains(garbage) == true, "\(event?.message ?? "")")
        let missing = try await place.run(
            try download(place, nginx) { $0.options.tls.additionalAuthoritiesPath = "/nowhere/ca.pem" })
        #expect(missing?.outcome == .failed)
        #expect(missing?.message?.contains("/nowhere/ca.pem") == true, "\(missing?.message ?? "")")
        withExtendedLifetime(folder) {}
    }

    // MARK: Client certificates

    private static let asksForCertificate = "ssl_client_certificate ca.crt; ssl_verify_client on;"

    @Test("a server that asks for a certificate gets it, also with an encrypted key", arguments: [false, true])
    func clientCertificate(isEncrypted: Bool) async throws {
        let (place, nginx, folder) = try await serve(.valid, Self.asksForCertificate)
        let event = try await place.run(
            try download(place, nginx) {
                $0.options.tls.clientCertificatePath = nginx.clientCertificate
                $0.options.tls.clientKeyPath = isEncrypted ? nginx.encryptedKey : nginx.clientKey
                $0.options.tls.clientKeyPassword = isEncrypted ? "secret" : nil
            })
        #expect(event?.success == true, "\(event?.message ?? "")")
        withExtendedLifetime(folder) {}
    }

    @Test(
        "without a certificate that the server asks for, or with one that cannot be used, the transfer fails and says so"
    )
    func noClientCertificate() async throws {
        let (place, nginx, folder) = try await serve(.valid, Self.asksForCertificate)
        let without = try await place.run(try download(place, nginx))
        #expect(without?.outcome == .failed)
        #expect(without?.message?.contains("400") == true, "\(without?.message ?? "")")
        let wrongPassword = try await place.run(
            try download(place, nginx) {
                $0.options.tls.clientCertificatePath = nginx.clientCertificate
                $0.options.tls.clientKeyPath = nginx.encryptedKey
                $0.options.tls.clientKeyPassword = "wrong-word"
            })
        fails(wrongPassword, place, with: "certificate or key cannot be used")
        #expect(wrongPassword?.message?.contains("wrong-word") == false)
        let otherKey = try await place.run(
            try download(place, nginx) {
                $0.options.tls.clientCertificatePath = nginx.clientCertificate
                $0.options.tls.clientKeyPath = folder.path + "/server.key"
            })
        fails(otherKey, place, with: "certificate or key cannot be used")
        withExtendedLifetime(folder) {}
    }

    @Test("a connection that was made with a certificate is not used by a transfer without one")
    func separateConnections() async throws {
        let (place, nginx, folder) = try await serve(.valid, Self.asksForCertificate)
        let client = AgentClient(place)
        await client.listen()
        let url = "https://127.0.0.1:\(nginx.tlsPort)/file"
        var with = client.specification("with", url: url)
        with.options.tls.additionalAuthoritiesPath = nginx.certificateAuthority
        var without = client.specification("without", url: url)
        without.options.tls = with.options.tls
        with.options.tls.clientCertificatePath = nginx.clientCertificate
        with.options.tls.clientKeyPath = nginx.clientKey
        try await client.start(with)
        #expect(try await client.outcome("with").isSuccess)
        try await client.start(without)
        #expect(try await client.outcome("without").failure?.statusCode == 400)
        // One that does not trust that authority does not use the connection of one that does.
        var distrusting = client.specification("distrusting", url: url)
        distrusting.options.tls.clientCertificatePath = nginx.clientCertificate
        distrusting.options.tls.clientKeyPath = nginx.clientKey
        try await client.start(distrusting)
        #expect(try await client.outcome("distrusting").isSuccess == false)
        await client.service.disconnect()
        withExtendedLifetime(folder) {}
    }

    // MARK: Pinned keys

    @Test("only a server with the pinned key is accepted")
    func pins() async throws {
        let (place, nginx, folder) = try await serve()
        let other = Data(repeating: 7, count: 32).base64EncodedString()
        let right = try await place.run(
            try download(place, nginx) { $0.options.tls.pinnedPublicKeys = [other, nginx.pin] })
        #expect(right?.success == true, "\(right?.message ?? "")")
        try FileManager.default.removeItem(atPath: place.savePath)
        let wrong = try await place.run(try download(place, nginx) { $0.options.tls.pinnedPublicKeys = [other] })
        fails(wrong, place, with: "not one of the pinned keys")
        try await place.wait(for: "nginx's log") { !nginx.requests.isEmpty }
        #expect(nginx.requests.count == 1, "\(nginx.requests)")
        withExtendedLifetime(folder) {}
    }

    @Test("a pinned key does not stand in for a certificate")
    func pinAlone() async throws {
        let (place, nginx, folder) = try await serve(.selfSigned)
        let event = try await place.run(
            try download(place, nginx) { $0.options.tls.pinnedPublicKeys = [nginx.pin] })
        fails(event, place, with: "certificate")
        withExtendedLifetime(folder) {}
    }

    // MARK: Versions and redirects

    @Test("a server that only supports TLS 1.1 is rejected")
    func oldVersion() async throws {
        let (place, nginx, folder) = try await serve(.valid, "ssl_protocols TLSv1.1; ssl_ciphers ALL:@SECLEVEL=0;")
        let event = try await place.run(try download(place, nginx) { $0.options.retry = .never })
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains("https://127.0.0.1:\(nginx.tlsPort)/file") == true, "\(event?.message ?? "")")
        #expect(nginx.requests.isEmpty)
        withExtendedLifetime(folder) {}
    }

    @Test(
        "a redirect from https to http is rejected, also at the end of a chain that began with http",
        arguments: [true, false])
    func downgrade(beginsPlain: Bool) async throws {
        let plain = try LocalHTTPServer()
        plain.serve(.bytes(Self.content), at: "/file")
        try plain.start()
        defer { plain.stop() }
        let (place, nginx, folder) = try await serve(.valid, "location /down { return 302 \(plain.url("/file")); }")
        let https = "https://127.0.0.1:\(nginx.tlsPort)/down"
        plain.setBehaviour(.redirect(to: https), for: "/begin")
        let event = try await place.run(
            try download(place, nginx) { $0.url = beginsPlain ? plain.url("/begin") : https })
        fails(event, place, with: "neither https nor allowed http")
        #expect(!plain.requests.contains { $0.path == "/file" })
        withExtendedLifetime(folder) {}
    }

    @Test("a redirect from http to https is followed")
    func upgrade() async throws {
        let (place, nginx, folder) = try await serve()
        place.server.setBehaviour(.redirect(to: "https://127.0.0.1:\(nginx.tlsPort)/file"), for: "/begin")
        let event = try await place.run(try download(place, nginx) { $0.url = place.server.url("/begin") })
        #expect(event?.success == true, "\(event?.message ?? "")")
        withExtendedLifetime(folder) {}
    }

    // MARK: Proxies and many files

    @Test("https uses a tunnel through the proxy, and the proxy sees none of its contents")
    func tunnel() async throws {
        let (place, nginx, folder) = try await serve()
        let proxy = try ForwardProxy(user: "pat:word")
        let event = try await place.run(
            try download(place, nginx) {
                $0.options.proxy = .url(proxy.url.replacing("http://", with: "http://pat:word@"))
                $0.options.headers = ["X-Plain": "not for the proxy"]
                $0.options.authentication = .bearer(token: "secret")
            })
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(proxy.requests.map(\.status) == [200])
        let connect = try #require(proxy.requests.first)
        #expect(connect.line == "CONNECT 127.0.0.1:\(nginx.tlsPort) HTTP/1.1")
        #expect(connect.headers["authorization"] == nil)
        #expect(connect.headers["x-plain"] == nil)
        withExtendedLifetime(folder) {}
    }

    @Test("the address policy holds for tunnels as well")
    func tunnelPolicy() async throws {
        let (place, nginx, folder) = try await serve()
        let proxy = try ForwardProxy()
        let client = AgentClient(place)
        await client.listen()
        try await client.download("one") {
            $0.url = "https://127.0.0.1:\(nginx.tlsPort)/file"
            $0.securityPolicy = .publicInternet
            $0.options.proxy = .url(proxy.url)
            $0.options.tls.additionalAuthoritiesPath = nginx.certificateAuthority
        }
        #expect(try await client.outcome("one").failure?.kind == .refused)
        await client.service.disconnect()
        #expect(proxy.requests.isEmpty)
        withExtendedLifetime(folder) {}
    }

    @Test("many files at once by HTTP/2 all arrive whole")
    func manyFiles() async throws {
        let (place, nginx, folder) = try await serve()
        let client = AgentClient(place)
        await client.listen()
        for name in 0..<8 {
            var specification = client.specification("\(name)", url: "https://127.0.0.1:\(nginx.tlsPort)/\(name)")
            specification.options.tls.additionalAuthoritiesPath = nginx.certificateAuthority
            try await client.start(specification)
        }
        for name in 0..<8 {
            guard case .delivered(let path, _, _, _) = try await client.outcome("\(name)") else {
                Issue.record("\(name) failed: \(place.logs)")
                continue
            }
            #expect(place.hasSaved(Self.content, at: path))
        }
        try await place.wait(for: "nginx's log") { nginx.requests.count == 8 }
        #expect(nginx.requests.allSatisfy { $0.contains("HTTP/2.0 200") }, "\(nginx.requests)")
        await client.service.disconnect()
        withExtendedLifetime(folder) {}
    }

    @Test("an upload by HTTP/2 arrives whole")
    func upload() async throws {
        let directives = "client_max_body_size 64m; dav_methods PUT; create_full_put_path on;"
        let (place, nginx, temporary) = try await serve(.valid, directives)
        let content = try place.makeSource(bytes: 5 << 20)
        let event = try await place.run(
            try place.upload {
                $0.url = "https://127.0.0.1:\(nginx.tlsPort)/up/loaded.bin"
                $0.options.tls.additionalAuthoritiesPath = nginx.certificateAuthority
            })
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(place.hasSaved(content, at: temporary.path + "/root/up/loaded.bin"))
        #expect(nginx.requests.first?.contains("PUT /up/loaded.bin HTTP/2.0 201") == true, "\(nginx.requests)")
    }
}
