import BackgroundWorkModel
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkBuiltIns

struct HttpRequestWorkerTests {
    let place: WorkerPlace
    private var server: LocalHTTPServer { place.server }

    init() throws { place = try WorkerPlace() }

    private func input(_ path: String = "/small", _ method: String = "GET", body: String? = nil)
        -> HttpRequestWorker.Input
    {
        HttpRequestWorker.Input(url: server.url(path), method: method, body: body)
    }

    @Test("the output has the status, the method in capitals, and the URL without its query")
    func output() async throws {
        var input = input("/small?token=0123456789abcdef", "get")
        input.options.headers = ["X-A": "b"]
        let output = try await place.output(HttpRequestWorker.self, input)
        #expect(output == .init(statusCode: 200, method: "GET", url: server.url("/small")))
        #expect(server.requests.first?.header("x-a") == "b")
    }

    @Test("each method sends its body as it is", arguments: ["POST", "put", "PATCH", "delete"])
    func methods(method: String) async throws {
        server.setBehaviour(.status(204), for: "/in")
        let text = "ä\u{0}\"{"
        let output = try await place.output(HttpRequestWorker.self, input("/in", method, body: text))
        #expect(output.statusCode == 204)
        #expect(output.method == method.uppercased())
        let request = try #require(server.requests.first)
        #expect(request.method == method.uppercased())
        #expect(request.receivedBytes == Int64(text.utf8.count))
        #expect(request.header("content-type") == nil)
    }

    @Test(
        "a status is a success, a retry or a failure",
        arguments: [
            (200, "success"), (204, "success"), (299, "success"), (304, "failure"), (400, "failure"), (401, "failure"),
            (404, "failure"), (408, "retry"), (409, "failure"), (429, "retry"), (500, "retry"), (503, "retry"),
            (599, "retry"),
        ])
    func statuses(status: Int, expected: String) async throws {
        server.setBehaviour(.status(status), for: "/small")
        let result = try await place.run(HttpRequestWorker.self, input("/small?sig=0123456789abcdef"))
        let (words, kind) =
            switch result {
            case .success(let message, _): (message ?? "", "success")
            case .failure(let message): (message, "failure")
            case .retry(let reason, _, _): (reason, "retry")
            default: ("", "another")
            }
        #expect(kind == expected)
        #expect(words.contains("GET \(server.url("/small"))"), "\(words)")
        #expect(words.contains("\(status)"), "\(words)")
        #expect(!words.contains("0123456789"), "\(words)")
    }

    @Test("Retry-After is honored, in seconds and as a date, up to a day")
    func retryAfter() async throws {
        let clock = ManualClock()
        for (after, expected) in [
            (RetryAfter.seconds(7), Duration.seconds(7)), (.seconds(10_000_000), .seconds(86_400)),
            (.date(clock.now.addingTimeInterval(90)), .seconds(90)),
        ] {
            server.setBehaviour(.status(503, retryAfter: after), for: "/small")
            let result = try await place.run(HttpRequestWorker.self, input(), clock: clock)
            guard case .retry(_, let wait?, _) = result else {
                Issue.record("\(result)")
                continue
            }
            // A date is sent in whole seconds.
            #expect(wait <= expected && wait > expected - .seconds(1), "\(wait)")
        }
        server.setBehaviour(.status(503), for: "/small")
        let result = try await place.run(HttpRequestWorker.self, input(), clock: clock)
        #expect(result == .retry(reason: result.retryReason ?? "", after: nil))
    }

    @Test("network errors are retried, with the URL in the reason")
    func network() async throws {
        server.setBehaviour(.resetAfter(bytes: 2), for: "/small")
        #expect(try await place.run(HttpRequestWorker.self, input()).retryReason?.contains("/small") == true)
        server.setBehaviour(.loseAnswer, for: "/in")
        #expect(try await place.run(HttpRequestWorker.self, input("/in", "POST", body: "x")).retryReason != nil)
        // Whose port is closed again.
        let url = try LocalHTTPServer().url("/x")
        #expect(try await place.run(HttpRequestWorker.self, .init(url: url)).retryReason?.contains(url) == true)
    }

    @Test("a response above the limit is a failure that names the field, at the limit it is none")
    func tooLong() async throws {
        server.serve(.generated(bytes: 100_000), at: "/big")
        var input = input("/big")
        input.maximumResponseBytes = 99_999
        for _ in 0..<2 {
            let message = try await place.run(HttpRequestWorker.self, input).failureMessage
            #expect(message?.contains("99999 bytes. Raise maxResponseBytes") == true, "\(message ?? "")")
            server.setBehaviour(.chunked, for: "/big")
        }
        input.maximumResponseBytes = 100_000
        #expect(try await place.run(HttpRequestWorker.self, input).isSuccess)
        server.setBehaviour(.correct, for: "/big")
        server.serve(.bytes(repeatElement(0, count: 17 << 20)), at: "/big")
        #expect(
            try await place.run(HttpRequestWorker.self, self.input("/big")).failureMessage?
                .contains("\(16 << 20) bytes") == true)
    }

    @Test("a compressed response counts as what it becomes")
    func bomb() async throws {
        server.serve(.bytes(Array(repeating: 0, count: 1_000_000)), at: "/big")
        server.setBehaviour(.compressed, for: "/big")
        var input = input("/big")
        input.maximumResponseBytes = 500_000
        #expect(try await place.run(HttpRequestWorker.self, input).failureMessage?.contains("500000") == true)
    }

    @Test("the response's body is kept if that is asked for, without what was sent to the server")
    func kept() async throws {
        server.setBehaviour(.answer(body: #"{"id":5,"you":"secret-key-of-mine"}"#), for: "/in")
        var input = input("/in", "POST", body: "x")
        input.options.headers = ["X-Api-Key": "secret-key-of-mine"]
        #expect(try await place.output(HttpRequestWorker.self, input).responseBody == nil)
        input.keepsResponseBody = true
        #expect(try await place.output(HttpRequestWorker.self, input).responseBody == #"{"id":5,"you":"…"}"#)
        server.setBehaviour(.answer(body: String(repeating: "x", count: 1 << 20 + 1)), for: "/in")
        #expect(try await place.run(HttpRequestWorker.self, input).failureMessage?.contains("1048576") == true)
    }

    @Test("an address that the policy forbids is a failure, and nothing is sent")
    func forbidden() async throws {
        await #expect(throws: WorkerInputError.self) {
            try await place.run(HttpRequestWorker.self, input(), under: .publicInternet)
        }
        server.setBehaviour(.redirect(to: "http://169.254.169.254/latest"), for: "/small")
        var policy = SecurityPolicy.publicInternet
        policy.allowsLoopback = true
        let message = try await place.run(HttpRequestWorker.self, input(), under: policy).failureMessage
        #expect(message?.contains("169.254.169.254") == true, "\(message ?? "")")
        #expect(server.requests.count == 1)
    }

    @Test("a cancelled run returns at once, while the server is silent")
    func cancelled() async throws {
        server.setBehaviour(.silence, for: "/small")
        let task = Task { try await place.run(HttpRequestWorker.self, input()) }
        await server.wait { !$0.isEmpty }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(server.requests.first?.status == 0)
    }

    @Test("progress tells the bytes of both bodies")
    func progress() async throws {
        server.serve(.generated(bytes: 50_000), at: "/big")
        let run = WorkerRun()
        _ = try await place.run(HttpRequestWorker.self, input("/big"), services: run)
        #expect(run.reports.values.last == WorkerProgress(fraction: 1, message: "0 bytes sent, 50000 bytes received"))
    }
}
