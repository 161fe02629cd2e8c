import BackgroundWorkHTTP
import BackgroundWorkModel
import BackgroundWorkTesting
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkBuiltIns

@Suite("What the workers' requests have in common")
struct WorkerRequestsTests {
    let place: WorkerPlace
    private var server: LocalHTTPServer { place.server }

    init() throws { place = try WorkerPlace() }

    private func requests(_ options: HTTPWorkerOptions, timeout: Duration = .seconds(60)) -> WorkerRequests {
        WorkerRequests(for: server.url("/small"), options, timeout: timeout, place.services())
    }

    private func tokenOptions(_ body: String? = nil) -> HTTPWorkerOptions {
        var options = HTTPWorkerOptions()
        options.authentication = .bearer(token: "old")
        options.tokenRefresh = TokenRefresh(
            url: server.url("/token"), headers: ["X-Client": "me"], body: "grant_type=refresh_token",
            tokenPath: "data.access_token")
        return options
    }

    private func failure(_ body: () async throws -> some Any) async -> TransferFailure? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? TransferFailure
        }
    }

    @Test("a 401 is answered with a new token, once, and the request is signed again")
    func refresh() async throws {
        server.require(.bearer(tokens: ["new"]), for: "/small")
        server.issueTokens(TokenIssuer(tokens: ["new"]), at: "/token")
        var options = tokenOptions()
        options.signing = RequestSigning(key: "k", timestampHeaderName: "X-Time")
        let requests = requests(options)
        let response = try await requests.send(requests.request(server.url("/small")))
        #expect(response.status == 200)
        #expect(server.tokenCalls(at: "/token") == 1)
        let asked = server.requests.filter { $0.path == "/small" }
        #expect(asked.map { $0.header("authorization") } == ["Bearer old", "Bearer new"])
        #expect(asked.allSatisfy { $0.header("x-signature")?.count == 64 })
        let token = try #require(server.requests.first { $0.path == "/token" })
        #expect(token.method == "POST")
        #expect(token.header("x-client") == "me")
        #expect(token.header("authorization") == nil)
        #expect(token.header("x-signature") == nil)
        // The next request begins with it.
        #expect(try await requests.send(requests.request(server.url("/small"))).status == 200)
        #expect(server.tokenCalls(at: "/token") == 1)
        #expect(
            requests.secrets.hidden(in: "the new token, or k: \(String(repeating: "old", count: 1))").contains("new"))
    }

    @Test("a second 401 is the response")
    func refusedAgain() async throws {
        server.require(.bearer(tokens: ["never"]), for: "/small")
        server.issueTokens(TokenIssuer(tokens: ["a", "b"], makesAccepted: false), at: "/token")
        let requests = requests(tokenOptions())
        let request = requests.request(server.url("/small"))
        let response = try await requests.send(request)
        #expect(response.status == 401)
        #expect(server.tokenCalls(at: "/token") == 1)
        let failure = requests.failure(of: response.head, to: request)
        #expect(failure?.isRetryable == false)
        #expect(failure?.message.contains("401, also to the new token") == true, "\(failure?.message ?? "")")
    }

    @Test("many requests that are refused at once share one new token")
    func shared() async throws {
        server.require(.bearer(tokens: ["new"]), for: "/small")
        server.issueTokens(TokenIssuer(tokens: ["new", "other"]), at: "/token")
        let requests = requests(tokenOptions())
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<12 {
                group.addTask { try await requests.send(requests.request(server.url("/small"))).status }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 12))
        #expect(server.tokenCalls(at: "/token") == 1)
    }

    @Test("without a new token the failure says why, and whether to try again is the token endpoint's word")
    func noToken() async throws {
        server.require(.bearer(tokens: ["new"]), for: "/small")
        let requests = requests(tokenOptions())
        for (behaviour, isRetryable) in [
            (Behaviour.status(503), true), (.status(400), false), (.answer(body: #"{"data":{}}"#), false),
            (.answer(body: String(repeating: " ", count: 1_100_000)), false),
        ] {
            server.setBehaviour(behaviour, for: "/token")
            let failure = await failure { try await requests.send(requests.request(server.url("/small"))) }
            #expect(failure?.isRetryable == isRetryable, "\(failure?.message ?? "")")
            #expect(failure?.message.contains("401") == true)
            #expect(failure?.message.contains("/token") == true, "\(failure?.message ?? "")")
        }
    }

    @Test("a redirect to another origin gets neither signature nor credentials, one within the origin does")
    func redirects() async throws {
        let other = try LocalHTTPServer()
        try other.start()
        other.serve(.bytes([1]), at: "/there")
        server.serve(.bytes([1]), at: "/there")
        var options = HTTPWorkerOptions()
        options.headers = ["X-Api-Key": "k", "X-Plain": "p"]
        options.signing = RequestSigning(key: "k", headerName: "X-Digest", timestampHeaderName: "X-Time")
        let requests = requests(options)
        for target in [server.url("/there"), other.url("/there")] {
            server.setBehaviour(.redirect(to: target), for: "/small")
            #expect(try await requests.send(requests.request(server.url("/small"))).status == 200)
        }
        let own = try #require(server.requests.first { $0.path == "/there" })
        #expect(own.header("x-digest") != nil && own.header("x-time") != nil && own.header("x-api-key") == "k")
        let foreign = try #require(other.requests.first)
        #expect(foreign.header("x-digest") == nil)
        #expect(foreign.header("x-time") == nil)
        #expect(foreign.header("x-api-key") == nil)
        #expect(foreign.header("x-plain") == "p")
    }

    @Test("a request that takes longer than its time is retried, whatever moves")
    func time() async throws {
        server.serve(.generated(bytes: 1_000_000), at: "/big")
        server.setBehaviour(.throttle(bytesPerSecond: 1000), for: "/big")
        var options = HTTPWorkerOptions()
        options.timeout = .milliseconds(300)
        let requests = requests(options)
        let failure = await failure { try await requests.send(requests.request(server.url("/big"))) }
        #expect(failure?.isRetryable == true)
        #expect(failure?.message.contains("300 ms") == true, "\(failure?.message ?? "")")
    }

    @Test("a limit of speed is one of each request, in both directions", .enabled(if: HTTPTransport.limitsSpeed))
    func speed() async throws {
        server.serve(.generated(bytes: 40_000), at: "/big")
        var options = HTTPWorkerOptions()
        options.bytesPerSecond = 80_000
        let requests = requests(options)
        let clock = ContinuousClock()
        for request in [
            requests.request(server.url("/big")),
            requests.request(server.url("/in"), method: "POST", body: .bytes(Data(count: 40_000))),
        ] {
            let start = clock.now
            // Never faster than the limit; how much slower is the machine's affair.
            #expect(try await requests.send(request).status == 200)
            #expect(clock.now - start > .milliseconds(400))
        }
    }

    @Test("a limit of speed that is not above 0 is refused")
    func noSpeed() async throws {
        var options = HTTPWorkerOptions()
        options.bytesPerSecond = 0
        let requests = requests(options)
        let failure = await failure { try await requests.send(requests.request(server.url("/small"))) }
        #expect(failure?.message.contains("bytesPerSecond") == true)
        #expect(server.requests.isEmpty)
    }

    @Test("options are read and written by the fields of transfers, beside the worker's own")
    func coding() throws {
        let json = """
            {"url":"http://h/","headers":{"A":"b"},"timeoutMs":5,"authentication":{"scheme":"bearer","token":"t"},\
            "tokenRefresh":{"url":"https://h/t"},"signing":{"key":"k"},"bytesPerSecond":9,"proxy":"direct",\
            "tls":{"clientCertificatePath":"/c"},"future":1}
            """
        let input = try JSONCoding.value(HttpRequestWorker.Input.self, from: json)
        #expect(input.options.headers == ["A": "b"])
        #expect(input.options.timeout == .milliseconds(5))
        #expect(input.options.authentication == .bearer(token: "t"))
        #expect(input.options.tokenRefresh == TokenRefresh(url: "https://h/t"))
        #expect(input.options.signing == RequestSigning(key: "k"))
        #expect(input.options.bytesPerSecond == 9)
        #expect(input.options.proxy == .direct)
        #expect(input.options.tls.clientCertificatePath == "/c")
        #expect(try JSONCoding.value(HttpRequestWorker.Input.self, from: input.inputJSON) == input)
        #expect(HttpRequestWorker.Input(url: "http://h/").inputJSON == #"{"method":"GET","url":"http://h/"}"#)
    }
}
