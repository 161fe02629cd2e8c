import BackgroundWorkHTTP
import BackgroundWorkTesting
import TestSupport
import Testing

@Suite("Answers without a body, and with too much of it")
struct UnusualAnswerTests {
    struct User: Codable, Equatable { var name: String }

    private let server: LocalHTTPServer
    private let client: APIClient

    init() throws {
        server = try LocalHTTPServer()
        try server.start()
        server.acceptUploads(at: "/v2/users")
        client = APIClient(server.url("/v2/"), transport: HTTPTransportTests.transport())
    }

    private func serve(_ text: String, _ headers: [HeaderField] = [], status: Int = 200) {
        server.setBehaviour(
            .with { behaviour in
                behaviour.status = status
                behaviour.body = Array(text.utf8)
                behaviour.headers = headers
            }, for: "/v2/users")
    }

    private func failure(_ body: () async throws -> Void) async -> APIError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? APIError
        }
    }

    @Test("an answer without a body is nil where it may be missing")
    func missingAnswer() async throws {
        server.setBehaviour(.status(204), for: "/v2/users")
        #expect(try await client.get("users", as: User?.self) == nil)
        let none: [User]? = try await client.delete("users")
        #expect(none == nil)
        serve("null")
        #expect(try await client.get("users", as: User?.self) == nil)
        serve(#"{"name":"Ada"}"#)
        #expect(try await client.get("users", as: User?.self) == User(name: "Ada"))
    }

    @Test("a failure whose body is longer than allowed still has its status, and success does not")
    func longFailure() async throws {
        var client = client
        client.responseLimit = 100
        client.cachePolicy = .protocolDefined
        serve(String(repeating: "x", count: 500_000), [HeaderField("Cache-Control", "max-age=60")], status: 404)
        for _ in 0..<2 {
            let error = try #require(await failure { _ = try await client.get("users", as: User.self) })
            #expect(error.status == 404 && error.body == String(repeating: "x", count: 100))
        }
        // What was cut is not stored.
        #expect(server.requests.count == 2)
        serve(String(repeating: "x", count: 101))
        await #expect { try await client.get("users", as: User.self) } throws: { ($0 as? HTTPError)?.kind == .tooLong }
    }
}
