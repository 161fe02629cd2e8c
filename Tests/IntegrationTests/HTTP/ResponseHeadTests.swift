import BackgroundWork
import BackgroundWorkModel
import BackgroundWorkTesting
import BackgroundWorkTransfers
import Foundation
import Testing

/// Heads of requests and responses that are not what they should be.
@Suite(.serialized, .fewAtATime)
struct ResponseHeadTests {
    private static let content = HostDeathTests.content

    private func place(_ behaviour: Behaviour) throws -> Workplace {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        place.server.setBehaviour(behaviour, for: "/file")
        return place
    }

    @Test(
        "large and many headers are accepted, and do not fill the outcome",
        arguments: [Behaviour.largeHeader(bytes: 60_000), .manyHeaders(500)])
    func large(behaviour: Behaviour) async throws {
        let place = try place(behaviour)
        let event = try await place.run(try place.download())
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(place.hasSaved(Self.content))
        #expect((event?.outputJSON?.utf8.count ?? .max) < 4096)
    }

    @Test("an endless response head is a failure, and the agent continues")
    func endless() async throws {
        let place = try place(.largeHeader(bytes: 8 << 20))
        let event = try await place.run(try place.download())
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains(place.server.url("/file")) == true, "\(event?.message ?? "")")
        place.server.setBehaviour(.correct, for: "/file")
        #expect(try await place.run(try place.download())?.success == true)
        #expect(place.agents.count == 1)
    }

    @Test(
        "a malformed status line is a failure that names the URL",
        arguments: ["HTTP/1.1 abc Nonsense", "HTTP/9.9 200 OK", "GARBAGE 200 OK", "HTTP/1.1 99999 OK", "", "HTTP/1.1"])
    func statusLine(line: String) async throws {
        let place = try place(.statusLine(line))
        let event = try await place.run(try place.download())
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains(place.server.url("/file")) == true, "\(event?.message ?? "")")
        #expect(!FileManager.default.fileExists(atPath: place.savePath))
        try await place.wait(for: "nothing to be left") { place.journal.isEmpty && place.leftovers.isEmpty }
    }

    @Test("control characters in what the server says do not reach messages and outcomes")
    func controlCharacters() async throws {
        let place = try place(.statusLine("HTTP/1.1 404 No\u{1b}[31m\u{7}pe"))
        let event = try await place.run(try place.download())
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains("404") == true)
        #expect(event?.message?.unicodeScalars.contains { $0.value < 0x20 } == false)
    }

    @Test(
        "a header with a line break is refused when it is enqueued",
        arguments: [("X-A", "b\r\nX-Evil: 1"), ("X-A", "b\nX-Evil: 1"), ("X-A\r\nX-Evil", "1"), ("X-A", "b\0")])
    func refusedByWorker(name: String, value: String) async throws {
        let place = try place(.correct)
        let reason = try await place.refusal(of: try place.download { $0.options.headers = [name: value] })
        #expect(reason?.contains("headers") == true, "\(reason ?? "")")
        #expect(place.server.requests.isEmpty)
        #expect(place.agents.isEmpty)
    }

    @Test(
        "a header with a line break is rejected by the agent, whoever asks it",
        arguments: [("X-A", "b\r\nX-Evil: 1"), ("X-A", "b\nX-Evil: 1"), ("X-A\r\nX-Evil", "1"), ("X-A", "b\0")])
    func refusedByAgent(name: String, value: String) async throws {
        let place = try place(.correct)
        let client = AgentClient(place)
        await client.listen()
        try await client.download("file") { $0.options.headers = [name: value] }
        let failure = try await client.outcome("file").failure
        #expect(failure?.kind == .invalid)
        #expect(failure?.isRetryable == false)
        #expect(place.server.requests.isEmpty)
        await client.service.disconnect()
    }

    @Test("a token or a method with a line break is rejected by the agent, also in the refresh request")
    func refusedElsewhere() async throws {
        let place = try place(.status(401))
        let client = AgentClient(place)
        await client.listen()
        try await client.download("token") { $0.options.authentication = .bearer(token: "a\r\nX-Evil: 1") }
        #expect(try await client.outcome("token").failure?.kind == .invalid)
        try await client.download("refresh") {
            $0.options.tokenRefresh = TokenRefresh(
                url: place.server.url("/token"), headers: ["X": "a\r\nX-Evil: 1"], body: "")
        }
        #expect(try await client.outcome("refresh").isSuccess == false)
        try await client.download("method") {
            $0.options.tokenRefresh = TokenRefresh(
                url: place.server.url("/token"), method: "GET /evil HTTP/1.1\r\nX-Evil: 1\r\n\r\n")
        }
        #expect(try await client.outcome("method").isSuccess == false)
        try place.makeSource(bytes: 10)
        let job = UploadJob(method: "PUT /evil HTTP/1.1\r\nX-Evil: 1\r\n\r\n", form: .body(), source: place.source)
        try await client.start(client.specification("upload", url: place.server.url("/file"), job: .upload(job)))
        #expect(try await client.outcome("upload").isSuccess == false)
        try await client.upload("type", "/file", form: .body(mimeType: "a/b\r\nX-Evil: 1"))
        #expect(try await client.outcome("type").isSuccess == false)
        #expect(!place.server.requests.contains { $0.header("X-Evil") != nil || $0.path == "/evil" })
        #expect(!place.server.requests.contains { $0.path == "/token" })
        await client.service.disconnect()
    }
}
