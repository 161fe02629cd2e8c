import BackgroundWorkModel
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkHTTP

@Suite("The response cache")
struct ResponseCacheTests {
    private let clock = ManualClock()
    private let cache = ResponseCache(maximumBytes: 100_000)

    private func get(_ path: String = "a", _ headers: HTTPHeaders = [:]) -> HTTPRequest {
        HTTPRequest("https://h/\(path)", headers: headers)
    }

    private func caching(_ answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) -> (
        CachingSender, ScriptedSender
    ) {
        let next = ScriptedSender(answer)
        return (CachingSender(cache: cache, clock: clock, next: next), next)
    }

    private func send(
        _ sender: CachingSender, _ request: HTTPRequest, _ policy: CachePolicy = .protocolDefined
    ) async throws -> HTTPResponse { try await sender.send(request, policy, progress: nil) }

    @Test("a fresh response is used until its time is over, then loaded again")
    func fresh() async throws {
        let (sender, next) = caching { _ in .of(200, ["Cache-Control": "max-age=60"], body: "x") }
        #expect(try await send(sender, get()).headers["Age"] == nil)
        clock.advance(by: .milliseconds(59_999))
        let reused = try await send(sender, get("a#fragment"))
        #expect(reused.text == "x" && reused.headers["Age"] == "59")
        #expect(next.sent.count == 1)
        clock.advance(by: .milliseconds(1))
        #expect(try await send(sender, get()).headers["Age"] == nil)
        #expect(next.sent.count == 2)
    }

    @Test("a stale response is validated; a 304 brings its headers and its time")
    func validated() async throws {
        let (sender, next) = caching { request in
            guard request.headers["If-None-Match"] == nil else {
                return .of(
                    304,
                    [
                        "ETag": "W/\"1\"", "Cache-Control": "max-age=60", "X-New": "1", "Content-Length": "0",
                        "Content-Type": "evil",
                    ])
            }
            return .of(
                200, ["ETag": "\"1\"", "Last-Modified": "yesterday", "Age": "99", "Content-Type": "text/plain"],
                body: "x")
        }
        _ = try await send(sender, get())
        let confirmed = try await send(sender, get())
        #expect(confirmed.status == 200 && confirmed.text == "x")
        #expect(confirmed.headers["X-New"] == "1" && confirmed.headers["Content-Type"] == "text/plain")
        #expect(confirmed.headers["Content-Length"] == nil && confirmed.headers["Age"] == nil)
        #expect(next.sent.last?.headers["If-None-Match"] == "\"1\"")
        #expect(next.sent.last?.headers["If-Modified-Since"] == "yesterday")
        #expect(try await send(sender, get()).headers["Age"] == "0")
        #expect(next.sent.count == 2)
    }

    @Test("a 304 about another entity confirms nothing: the response is loaded anew")
    func foreign304() async throws {
        let (sender, next) = caching { request in
            request.headers["If-None-Match"] == nil
                ? .of(200, ["ETag": "\"1\""], body: "x") : .of(304, ["ETag": "\"2\""])
        }
        _ = try await send(sender, get())
        #expect(try await send(sender, get()).text == "x")
        #expect(next.sent.map { $0.headers["If-None-Match"] } == [nil, "\"1\"", nil])
    }

    @Test("a failing server leaves what is stored, a new answer replaces it")
    func replaced() async throws {
        let answers = Recorder<HTTPResponse>()
        let (sender, _) = caching { _ in answers.values.last ?? .of() }
        answers.add(.of(200, ["ETag": "\"1\""], body: "x"))
        _ = try await send(sender, get())
        answers.add(.of(503))
        #expect(try await send(sender, get()).status == 503)
        #expect(try await send(sender, get(), .onlyCached).text == "x")
        answers.add(.of(200, ["Cache-Control": "no-store"], body: "y"))
        #expect(try await send(sender, get()).text == "y")
        await #expect(throws: NotCachedError.self) { try await send(sender, get(), .onlyCached) }
    }

    @Test("each policy asks the server, or does not")
    func policies() async throws {
        let (sender, next) = caching { _ in .of(200, ["Cache-Control": "max-age=60"], body: "x") }
        await #expect(throws: NotCachedError.self) { try await send(sender, get(), .onlyCached) }
        _ = try await send(sender, get(), .noStore)
        #expect(cache.bytes == 0)
        _ = try await send(sender, get(), .cachedElseLoad)
        clock.advance(by: .seconds(1_000_000))
        #expect(try await send(sender, get(), .cachedElseLoad).headers["Age"] == "1000000")
        #expect(try await send(sender, get(), .onlyCached).headers["Age"] == "1000000")
        #expect(next.sent.count == 2)
        _ = try await send(sender, get(), .reload)
        #expect(next.sent.last?.headers["Cache-Control"] == "no-cache")
        #expect(try await send(sender, get()).headers["Age"] == "0")
        #expect(next.sent.count == 3)
        _ = try await send(sender, get("a", ["Cache-Control": "max-age=0"]))
        _ = try await send(sender, get("a", ["Cache-Control": "no-cache"]))
        #expect(next.sent.count == 5)
        await #expect(throws: NotCachedError.self) {
            try await send(sender, HTTPRequest("https://h/a", method: "HEAD"), .onlyCached)
        }
    }

    @Test(
        "what the server forbids to use stale is never used so", arguments: ["no-cache", "max-age=0, must-revalidate"])
    func stale(control: String) async throws {
        let (sender, next) = caching { _ in .of(200, ["Cache-Control": control], body: "x") }
        _ = try await send(sender, get(), .cachedElseLoad)
        _ = try await send(sender, get(), .cachedElseLoad)
        #expect(next.sent.count == 2)
        await #expect(throws: NotCachedError.self) { try await send(sender, get(), .onlyCached) }
    }

    @Test("a response is for requests with the same values of what it varies by, and the same credentials")
    func variants() async throws {
        let (sender, next) = caching { request in
            .of(
                200, ["Cache-Control": "max-age=60", "Vary": "Accept-Language"],
                body: (request.headers["Accept-Language"] ?? "none") + (request.headers["Authorization"] ?? ""))
        }
        let requests = [
            get(), get("a", ["Accept-Language": "de"]), get("a", ["accept-language": "en"]),
            get("a", ["Authorization": "A"]), get("a", ["Authorization": "B"]),
        ]
        for _ in 1...3 {
            for request in requests { _ = try await send(sender, request) }
        }
        #expect(next.sent.count == requests.count)
        #expect(try await send(sender, requests[2]).text == "en")
        #expect(try await send(sender, requests[4]).text == "noneB")
        var signed = get()
        signed.authentication = .basic(user: "a", password: "b")
        await #expect(throws: NotCachedError.self) { try await send(sender, signed, .onlyCached) }
        var certified = get()
        certified.tls.clientCertificatePath = "/c.pem"
        await #expect(throws: NotCachedError.self) { try await send(sender, certified, .onlyCached) }
    }

    @Test("a change makes stored responses invalid, however it ends, and for all credentials")
    func invalidated() async throws {
        struct Lost: Error {}
        let (sender, _) = caching { request in
            if request.method == "PUT" { throw Lost() }
            return .of(request.method == "DELETE" ? 404 : 200, ["Cache-Control": "max-age=60"])
        }
        for method in ["POST", "DELETE", "PUT", "PROPPATCH"] {
            _ = try await send(sender, get())
            _ = try await send(sender, get("a", ["Authorization": "A"]))
            _ = try await send(sender, get("other"))
            _ = try? await send(sender, HTTPRequest("https://h/a", method: method), .noStore)
            await #expect(throws: NotCachedError.self) { try await send(sender, get(), .onlyCached) }
            await #expect(throws: NotCachedError.self) {
                try await send(sender, get("a", ["Authorization": "A"]), .onlyCached)
            }
            _ = try await send(sender, get("other"), .onlyCached)
        }
    }

    @Test("a response that was requested before a change is not stored after it")
    func overtaken() async throws {
        let (asked, changed) = (Latch(), Latch())
        let (sender, _) = caching { request in
            if request.method == "GET" {
                asked.open()
                await changed.wait()
            }
            return .of(200, ["Cache-Control": "max-age=60"], body: "old")
        }
        async let old = send(sender, get())
        await asked.wait()
        _ = try await send(sender, HTTPRequest("https://h/a", method: "POST"))
        changed.open()
        #expect(try await old.text == "old")
        await #expect(throws: NotCachedError.self) { try await send(sender, get(), .onlyCached) }
    }

    @Test("the bytes are bounded; what was used least recently goes first")
    func bounded() async throws {
        let body = String(repeating: "x", count: 9000)
        let (sender, _) = caching { request in
            .of(
                200, ["Cache-Control": "max-age=60"],
                body: request.url.hasSuffix("huge") ? String(repeating: "x", count: 26_000) : body)
        }
        for number in 0..<200 {
            _ = try await send(sender, get("\(number)"))
            _ = try await send(sender, get("0"), .onlyCached)
            #expect(cache.bytes <= cache.maximumBytes)
        }
        _ = try await send(sender, get("199"), .onlyCached)
        await #expect(throws: NotCachedError.self) { try await send(sender, get("1"), .onlyCached) }
        _ = try await send(sender, get("huge"))
        await #expect(throws: NotCachedError.self) { try await send(sender, get("huge"), .onlyCached) }
        cache.removeAll()
        #expect(cache.bytes == 0)
        await #expect(throws: NotCachedError.self) { try await send(sender, get("0"), .onlyCached) }
    }

    @Test("a URL has a bounded number of variants")
    func manyVariants() async throws {
        let (sender, _) = caching { _ in .of(200, ["Cache-Control": "max-age=60", "Vary": "X-N"]) }
        for number in 0..<100 { _ = try await send(sender, get("a", ["X-N": "\(number)"])) }
        for number in 84..<100 { _ = try await send(sender, get("a", ["X-N": "\(number)"]), .onlyCached) }
        await #expect(throws: NotCachedError.self) { try await send(sender, get("a", ["X-N": "83"]), .onlyCached) }
    }

    @Test("a body beyond the request's limit is not taken from the cache")
    func limited() async throws {
        let (sender, next) = caching { _ in .of(200, ["Cache-Control": "max-age=60"], body: "xyz") }
        _ = try await send(sender, get())
        var request = get()
        request.responseLimit = 2
        _ = try await send(sender, request)
        #expect(next.sent.count == 2)
    }
}
