import BackgroundWorkHTTP
import BackgroundWorkTesting
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

@Suite("Requests that are refused before they are sent")
struct RefusedRequestTests {
    private let server: LocalHTTPServer
    private let transport = HTTPTransportTests.transport()
    private let folder: TemporaryFolder

    init() throws {
        server = try LocalHTTPServer()
        try server.start()
        server.serve(.bytes(Array("hello".utf8)), at: "/small")
        folder = try TemporaryFolder()
    }

    private func failure(_ body: () async throws -> some Any) async -> HTTPError? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? HTTPError
        }
    }

    private func refusal(_ change: (inout HTTPRequest) -> Void) async throws -> HTTPError {
        var request = HTTPRequest(server.url("/small"))
        change(&request)
        return try #require(await failure { try await transport.send(request) })
    }

    @Test("a policy with an entry that means nothing is named, and nothing is sent")
    func uselessPolicy() async throws {
        var configuration = HTTPTransport.Configuration()
        configuration.securityPolicy = .unrestricted
        configuration.securityPolicy.allowedHosts = ["http://example.com/"]
        let transport = HTTPTransport(configuration: configuration)
        let error = try #require(await failure { try await transport.send(HTTPRequest(server.url("/small"))) })
        #expect(error.kind == .invalid && error.message.contains("http://example.com/"), "\(error)")
        #expect(server.requests.isEmpty)
    }

    @Test("a file needs a name, and no folder is replaced", arguments: ["/", "/.", "/sub/", "/sub/.", "", "/sub//"])
    func folders(ending: String) async throws {
        let path = folder.path + ending
        let error = try #require(
            await failure { try await transport.download(HTTPRequest(server.url("/small")), to: path) })
        #expect(error.kind == .disk && !error.isRetryable)
        #expect(error.message.contains("\(path), which is a folder. Add the file's name."), "\(error)")
        for root in ["/", "/."] {
            let error = await failure { try await transport.download(HTTPRequest(server.url("/small")), to: root) }
            #expect(error?.message.contains("Add the file's name.") == true)
        }
        #expect(server.requests.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test("a HEAD request leaves a file alone")
    func head() async throws {
        let path = folder.path + "/file"
        try Data("old".utf8).write(to: URL(filePath: path))
        let error = try #require(
            await failure {
                try await transport.download(HTTPRequest(server.url("/small"), method: "HEAD"), to: path)
            })
        #expect(error.kind == .invalid && error.message.contains("HEAD"), "\(error)")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
        #expect(server.requests.isEmpty)
    }

    @Test("credentials and keys that enqueue refuses are refused here too")
    func credentials() async throws {
        for authentication in [HTTPAuthentication.basic(user: "a:b", password: "Zq7"), .bearer(token: "")] {
            let error = try await refusal { $0.authentication = authentication }
            #expect(error.kind == .invalid && error.message.contains("its authentication: the"), "\(error)")
            #expect(!error.message.contains("Zq7"))
        }
        for key in ["abc", "sha256//AAAA", "sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="] {
            let error = try await refusal { $0.tls.pinnedPublicKeys = [key] }
            #expect(error.message.contains("\"\(key)\" is not the SHA-256 of a key"), "\(error)")
        }
        let alone = try await refusal { $0.tls.clientKeyPath = "/key.pem" }
        #expect(alone.message.contains("tls.clientCertificatePath"))
        #expect(server.requests.isEmpty)
    }

    @Test("there is one line of cookies: kept ones or the request's")
    func cookies() async throws {
        var request = HTTPRequest(server.url("/small"), headers: ["cookie": "a=Zq7"])
        let keeping = HTTPTransportTests.transport { $0.keepsCookies = true }
        let error = try #require(await failure { try await keeping.send(request) })
        #expect(error.kind == .invalid && error.message.contains("keepsCookies") && !error.message.contains("Zq7"))
        #expect(server.requests.isEmpty)
        #expect(try await transport.send(request).status == 200)
        request.headers["Cookie"] = nil
        #expect(try await keeping.send(request).status == 200)
    }

    @Test("what comes from the request forges no line, and fills no log")
    func shown() async throws {
        let method = try await refusal { $0.method = "GET\u{1b}[31m\nFAKE LOG LINE" }
        #expect(method.message.hasPrefix("GET?[31m?FAKE LOG LINE http://"), "\(method)")
        let url = try await refusal { $0.url = "ftp://h/" + String(repeating: "x", count: 70_000) }
        #expect(url.message.utf8.count < 1500)
        let path = folder.path + "/a\u{1b}[31m\nb/" + String(repeating: "x", count: 200)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let disk = try #require(
            await failure { try await transport.download(HTTPRequest(server.url("/small")), to: path) })
        #expect(!disk.message.contains("\u{1b}") && !disk.message.contains("\n"), "\(disk)")
    }
}
