import BackgroundWorkHTTP
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

@Suite("A client of a web service, with a server")
struct APIClientTests {
    struct User: Codable, Equatable {
        var name: String
        var since: Date
    }

    private let server: LocalHTTPServer
    private var client: APIClient
    private let user = User(name: "Ada +/ü", since: Date(timeIntervalSince1970: 1_769_903_999))
    private let json = #"{"name":"Ada +/ü","since":"2026-01-31T23:59:59Z"}"#

    init() throws {
        server = try LocalHTTPServer()
        try server.start()
        server.acceptUploads(at: "/v2/users")
        client = APIClient(server.url("/v2/"), transport: HTTPTransportTests.transport())
    }

    private func serve(_ text: String, at path: String = "/v2/users", _ headers: [HeaderField] = [], status: Int = 200)
    {
        server.setBehaviour(
            .with { behaviour in
                behaviour.status = status
                behaviour.body = Array(text.utf8)
                behaviour.headers = headers
            }, for: path)
    }

    private func failure(_ body: () async throws -> Void) async -> APIError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? APIError
        }
    }

    @Test("bodies and answers are JSON, in each method")
    func methods() async throws {
        serve(json)
        let answers: [User] = [
            try await client.get("users"), try await client.post("users", body: user),
            try await client.put("users", body: user), try await client.patch("users", body: user),
            try await client.delete("users", body: user), try await client.post("users"),
            try await client.delete("users"),
        ]
        #expect(answers.allSatisfy { $0 == user })
        #expect(server.requests.map(\.method) == ["GET", "POST", "PUT", "PATCH", "DELETE", "POST", "DELETE"])
        let types = server.requests.map { $0.header("Content-Type") }
        #expect(types == [nil] + Array(repeating: "application/json", count: 4) + [nil, nil])
        let received = server.uploads(at: "/v2/users").filter { !$0.bytes.isEmpty }.map(\.bytes)
        #expect(received.count == 2)
        for bytes in received {
            let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: String]
            #expect(object == ["name": "Ada +/ü", "since": "2026-01-31T23:59:59Z"])
        }
    }

    @Test("an answer without a body satisfies those who expect none")
    func noAnswer() async throws {
        server.setBehaviour(.status(204), for: "/v2/users")
        try await client.post("users", body: user)
        try await client.put("users", body: user)
        try await client.patch("users", body: user)
        try await client.delete("users")
        let response = try await client.send(client.request("POST", "users", body: .bytes(Data("raw".utf8))))
        #expect(response.status == 204 && response.body.isEmpty)
        await #expect(throws: APIDecodingError.self) { try await client.get("users", as: User.self) }
    }

    @Test("headers, credentials, the query and an id of its own go with each request")
    func headers() async throws {
        serve(json)
        var client = client
        client.headers["X-A"] = "1"
        client.headers["X-B"] = "1"
        client.authentication = .bearer(token: "secret")
        client.prepare = { $0.headers["X-Prepared"] = $0.method }
        _ = try await client.get("users", as: User.self, query: ["q": "a b"], headers: ["x-b": "2"])
        client.sendsRequestID = false
        _ = try await client.get("users", as: User.self)
        let first = try #require(server.requests.first)
        #expect(first.path == "/v2/users?q=a%20b")
        #expect(first.header("x-a") == "1" && first.header("x-b") == "2" && first.header("x-prepared") == "GET")
        #expect(first.header("authorization") == "Bearer secret")
        #expect(first.header("accept") == "application/json")
        #expect(UUID(uuidString: first.header("x-request-id") ?? "") != nil)
        #expect(server.requests.last?.header("x-request-id") == nil)
    }

    @Test("a status outside of 2xx is an error with what the server says", arguments: [400, 401, 404, 409, 422, 500])
    func statuses(status: Int) async throws {
        serve(#"{"error": "no"}"#, [HeaderField("X-Request-Id", "abc")], status: status)
        let error = try #require(await failure { _ = try await client.get("users", as: User.self) })
        #expect(error.status == status && error.requestID == "abc" && error.body == #"{"error": "no"}"#)
        #expect(error.isRetryable == (status == 500) && error.retryAfter == nil)
        #expect(error.url == server.url("/v2/users") && !error.description.contains("error\""))
        let own = try #require(await failure { try await client.post("elsewhere", body: user) })
        #expect(own.requestID == server.requests.last?.header("x-request-id"))
    }

    @Test("only a piece of a long body is kept in the error")
    func longBody() async throws {
        serve(String(repeating: "x", count: 1_000_000), status: 500)
        #expect(await failure { try await client.post("users") }?.body.utf8.count == 4096)
    }

    @Test("an answer of another shape is an error that names the field")
    func shape() async throws {
        serve(#"{"name": "Ada"}"#)
        do {
            _ = try await client.get("users", as: User.self)
            Issue.record("decoded")
        } catch let error as APIDecodingError {
            #expect(error.problem == #"the field "since" is missing"#)
        }
    }

    @Test("a body that cannot be encoded is refused before anything is sent")
    func unencodable() async {
        await #expect(throws: HTTPError.self) { try await client.post("users", body: [Double.nan]) }
        #expect(server.requests.isEmpty)
    }

    @Test("a body that is cut, or longer than its limit, is no answer")
    func cut() async throws {
        server.serve(.bytes(Array(json.utf8)), at: "/v2/file")
        server.setBehaviour(.closeAfter(bytes: 10), for: "/v2/file")
        var client = client
        await #expect { try await client.get("file", as: User.self) } throws: { error in
            (error as? HTTPError)?.isRetryable == true
        }
        server.setBehaviour(.correct, for: "/v2/file")
        client.responseLimit = 10
        await #expect { try await client.get("file", as: User.self) } throws: { error in
            (error as? HTTPError)?.kind == .tooLong
        }
    }

    @Test("a busy server is asked again after the time that it names, in seconds or as a date")
    func retryAfter() async throws {
        let clock = ManualClock()
        let client = APIClient(server.url("/v2"), transport: HTTPTransportTests.transport(), clock: clock)
        server.setBehaviours(
            [
                .status(503, retryAfter: .seconds(7)),
                .status(429, retryAfter: .date(clock.now.addingTimeInterval(19))),
                .answer(contentType: "application/json", body: json),
            ], for: "/v2/users")
        async let answer = retrying(initialDelay: .milliseconds(10), clock: clock) { _ in
            try await client.get("users", as: User.self)
        }
        await clock.untilSleeping(atLeast: 1)
        clock.advance(by: .milliseconds(6999))
        #expect(clock.sleepers == 1)
        clock.advance(by: .milliseconds(1))
        // The date was set before: 12 of its 19 seconds are left.
        await clock.untilSleeping(atLeast: 1)
        clock.advance(by: .milliseconds(11_999))
        #expect(clock.sleepers == 1)
        clock.advance(by: .milliseconds(1))
        #expect(try await answer == user)
        #expect(server.requests.map(\.status) == [503, 429, 200])
    }

    @Test("the server is asked for what is stale, and answers without a body while nothing has changed")
    func cache() async throws {
        let clock = ManualClock()
        var client = APIClient(server.url("/v2"), transport: HTTPTransportTests.transport(), clock: clock)
        client.cachePolicy = .protocolDefined
        let limit = HeaderField("Cache-Control", "max-age=60")
        server.setBehaviours(
            [
                .with { behaviour in
                    behaviour.body = Array(json.utf8)
                    behaviour.headers = [limit, HeaderField("ETag", "\"1\"")]
                },
                .with { behaviour in
                    behaviour.status = 304
                    behaviour.headers = [limit, HeaderField("ETag", "\"1\"")]
                }, .answer(contentType: "application/json", body: "{}"),
            ], for: "/v2/users")
        for _ in 1...5 { #expect(try await client.get("users", as: User.self) == user) }
        #expect(server.requests.map(\.status) == [200])
        clock.advance(by: .seconds(60))
        clock.set(clock.now.addingTimeInterval(-1_000_000))
        for _ in 1...5 { #expect(try await client.get("users", as: User.self) == user) }
        #expect(server.requests.map(\.status) == [200, 304])
        #expect(server.requests.last?.header("if-none-match") == "\"1\"")
        #expect(try await client.get("users", as: User.self, cache: .onlyCached) == user)
        try await client.delete("users")
        await #expect(throws: NotCachedError.self) {
            try await client.get("users", as: User.self, cache: .onlyCached)
        }
    }

    @Test("a request that is cancelled ends at once")
    func cancelled() async throws {
        server.setBehaviour(.silence, for: "/v2/users")
        let client = client
        let task = Task { try await client.get("users", as: User.self) }
        await server.wait { !$0.isEmpty }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("a server on this machine is reached without a network, any other one is waited for")
    func withoutNetwork() async throws {
        serve(json)
        let clock = ManualClock()
        let device = ConstraintSwitchboard(satisfied: [])
        var client = APIClient(
            server.url("/v2"), transport: HTTPTransportTests.transport(), device: device, clock: clock)
        #expect(try await client.get("users", as: User.self) == user)
        client.baseURL = "http://api.invalid"
        client.timeouts.resource = .seconds(10)
        let waiting = client
        let task = Task { try await waiting.get("users", as: User.self) }
        await clock.untilSleeping(atLeast: 1)
        clock.advance(by: .seconds(10))
        await #expect { try await task.value } throws: { ($0 as? HTTPError)?.kind == .timeout }
        client.waitsForConnectivity = false
        let direct = client
        await #expect { try await direct.get("users", as: User.self) } throws: { ($0 as? HTTPError)?.kind == .network }
        #expect(clock.sleepers == 0)
    }

    @Test("nothing in a path leads a request to another host")
    func confined() async throws {
        serve("{}", at: "/v2///evil/x")
        _ = try await client.get(APIPath("///evil/x"), as: [String: String].self)
        #expect(server.requests.map(\.path) == ["/v2///evil/x"])
        #expect(server.requests.first?.header("host") == "127.0.0.1:\(server.port)")
    }
}
