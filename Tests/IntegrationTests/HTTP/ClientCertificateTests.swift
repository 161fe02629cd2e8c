import BackgroundWork
import BackgroundWorkSystem
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

/// To whom a client's certificate, and headers that are secrets, are shown. Each server says in its answers what it saw.
@Suite(.serialized, .fewAtATime)
struct ClientCertificateTests {
    /// Two servers with separate authorities: one that asks for a certificate, one that accepts any.
    private struct Stage {
        let place: Workplace
        let home: NginxServer
        let abroad: NginxServer
        let authorities: String
        private let folder: TemporaryFolder

        init() async throws {
            folder = try TemporaryFolder()
            place = try Workplace()
            let who = "default_type text/plain; return 200 '$ssl_client_verify $http_x_api_key $http_x_plain';"
            abroad = try await Self.server(
                in: folder.path + "/abroad",
                """
                ssl_verify_client optional_no_ca; location /who { \(who) }
                location /back { return 302 https://127.0.0.1:$arg_port/who; }
                location /token { return 200 '{"token":"$ssl_client_verify"}'; }
                """)
            let away = "127.0.0.1:\(abroad.tlsPort)"
            home = try await Self.server(
                in: folder.path + "/home",
                """
                absolute_redirect off; ssl_client_certificate ca.crt; ssl_verify_client on;
                location /who { \(who) }
                location /around { return 302 /who; }
                location /self { return 307 https://127.0.0.1:$server_port/who; }
                location /away { return 302 https://\(away)/who; }
                location /scheme { return 302 //\(away)/who; }
                location /over { return 307 https://\(away)/who; }
                location /off { return 302 https://\(away)/back?port=$server_port; }
                location /locked { if ($http_authorization != "Bearer NONE") { return 401; } return 200 open; }
                """)
            authorities = folder.path + "/authorities.pem"
            let texts = try [home, abroad].map { try Data(contentsOf: URL(filePath: $0.certificateAuthority)) }
            try (texts[0] + texts[1]).write(to: URL(filePath: authorities))
        }

        private static func server(in folder: String, _ directives: String) async throws -> NginxServer {
            let root = folder + "/root"
            try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
            return try await NginxServer(folder: folder, root: root, directives: directives)
        }

        func homeURL(_ path: String) -> String { "https://127.0.0.1:\(home.tlsPort)\(path)" }
        func abroadURL(_ path: String) -> String { "https://127.0.0.1:\(abroad.tlsPort)\(path)" }

        func identify(_ options: inout TransferOptions) {
            options.tls.additionalAuthoritiesPath = authorities
            options.tls.clientCertificatePath = home.clientCertificate
            options.tls.clientKeyPath = home.clientKey
            options.headers = ["X-Api-Key": "secret", "X-Plain": "plain"]
        }

        func run(
            _ url: String, _ change: (inout DownloadConfiguration) -> Void = { _ in }
        ) async throws -> TaskCompletionEvent? {
            try? FileManager.default.removeItem(atPath: place.savePath)
            return try await place.run(
                try place.download(url: url) {
                    identify(&$0.options)
                    change(&$0)
                })
        }

        /// What the server that answered saw.
        func answer(_ url: String, _ change: (inout DownloadConfiguration) -> Void = { _ in }) async throws -> String {
            let event = try await run(url, change)
            #expect(event?.success == true, "\(event?.message ?? "")")
            return (try? String(contentsOfFile: place.savePath, encoding: .utf8)) ?? ""
        }
    }

    @Test("certificates and secrets go to the URL's own origin, and to no other that a redirect leads to")
    func redirects() async throws {
        let stage = try await Stage()
        for path in ["/who", "/around", "/self"] {
            #expect(try await stage.answer(stage.homeURL(path)) == "SUCCESS secret plain")
        }
        for path in ["/away", "/scheme"] {
            #expect(try await stage.answer(stage.homeURL(path)) == "NONE  plain")
        }
        // It was not for want of asking: the same server is shown the certificate when the request names that server.
        let own = try await stage.answer(stage.abroadURL("/who"))
        #expect(own.hasPrefix("FAILED") && own.hasSuffix("secret plain"), "\(own)")
    }

    @Test("a PKCS #12 file is a certificate with its key")
    func pkcs12() async throws {
        let stage = try await Stage()
        let answer = try await stage.answer(stage.homeURL("/who")) { download in
            download.options.tls.clientCertificatePath = stage.home.clientPKCS12
            download.options.tls.clientKeyPath = nil
            download.options.tls.clientKeyPassword = "secret"
        }
        #expect(answer == "SUCCESS secret plain")
    }

    @Test("a connection on which one was shown is not used for a redirect that may not show it")
    func keptConnection() async throws {
        let stage = try await Stage()
        let client = AgentClient(stage.place)
        await client.listen()
        for (key, url) in [("own", stage.abroadURL("/who")), ("redirected", stage.homeURL("/away"))] {
            var specification = client.specification(key, url: url)
            stage.identify(&specification.options)
            try await client.start(specification)
            guard case .delivered(let path, _, _, _) = try await client.outcome(key) else {
                Issue.record("\(key) failed: \(stage.place.logs)")
                continue
            }
            let answer = try String(contentsOfFile: path, encoding: .utf8)
            #expect(answer.hasPrefix(key == "own" ? "FAILED" : "NONE  plain"), "\(answer)")
        }
        await client.service.disconnect()
    }

    @Test("a chain of redirects that has left the origin and comes back is without them")
    func comingBack() async throws {
        let stage = try await Stage()
        let event = try await stage.run(stage.homeURL("/off"))
        #expect(event?.outcome == .failed)
        // What nginx says to who shows none.
        #expect(event?.message?.contains("400") == true, "\(event?.message ?? "")")
        #expect(stage.abroad.requests.contains { $0.contains("/back") })
    }

    @Test("a mirror of another origin gets neither certificate nor secret")
    func mirror() async throws {
        let stage = try await Stage()
        #expect(
            try await stage.answer(stage.homeURL("/missing")) { $0.mirrors = [stage.abroadURL("/who")] }
                == "NONE  plain")
        #expect(
            try await stage.answer(stage.homeURL("/missing")) { $0.mirrors = [stage.homeURL("/who")] }
                == "SUCCESS secret plain")
    }

    @Test("a token server of another origin gets neither certificate nor secret")
    func token() async throws {
        let stage = try await Stage()
        let answer = try await stage.answer(stage.homeURL("/locked")) {
            $0.options.authentication = .bearer(token: "old")
            $0.options.tokenRefresh = TokenRefresh(url: stage.abroadURL("/token"), method: "GET", tokenPath: "token")
        }
        #expect(answer == "open")
    }

    @Test("an upload that is redirected to another origin is sent there without them")
    func upload() async throws {
        let stage = try await Stage()
        _ = try stage.place.makeSource(bytes: 30_000)
        let event = try await stage.place.run(
            try stage.place.upload {
                stage.identify(&$0.options)
                $0.url = stage.homeURL("/over")
            })
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(event?.outputJSON?.contains("\"NONE  plain\"") == true, "\(event?.outputJSON ?? "")")
    }
}
