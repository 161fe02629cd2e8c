import BackgroundWorkModel
import Foundation
import Testing

@testable import BackgroundWorkHTTP

@Suite("The rules of the response cache")
struct CacheRulesTests {
    private func instant(_ seconds: Int, wall: Int? = nil) -> CacheInstant {
        CacheInstant(
            wall: WallTime(milliseconds: Int64(784_111_777 + (wall ?? seconds)) * 1000), uptime: .seconds(seconds))
    }

    private let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    @Test("directives are read in any case, with quotes, from several fields; the stricter one counts")
    func directives() {
        func control(_ values: String...) -> CacheControl {
            CacheControl(HTTPHeaders(values.map { .init(name: "cache-control", value: $0) }))
        }
        #expect(control("Max-Age=60").maxAge == 60)
        #expect(control(" max-age=\"60\" , x=\"a, no-store\\\", no-cache\"").maxAge == 60)
        #expect(!control("x=\"a, no-store\\\", no-cache\"").isNoStore)
        #expect(control("max-age=60", "max-age=10, NO-STORE").maxAge == 10)
        #expect(control("max-age=60", "max-age=10, NO-STORE").isNoStore)
        #expect(control("private=\"set-cookie\", no-cache=\"x\", must-revalidate").isNoCache)
        #expect(control("must-revalidate").mustRevalidate)
        #expect(control("max-age=99999999999999999999").maxAge == 1 << 31)
        for nonsense in ["max-age", "max-age=", "max-age=-1", "max-age=1.5", "max-age=\u{0661}"] {
            #expect(control(nonsense).maxAge == 0)
        }
        #expect(control("", ",,", "=", "\"", "=\"\\").maxAge == nil)
        #expect(control("s-maxage=9").maxAge == nil)
    }

    @Test(
        "a response is fresh as long as its server says, and no longer",
        arguments: [
            (["Cache-Control": "max-age=60"], 60), (["Expires": "Sun, 06 Nov 1994 08:50:37 GMT"], 60),
            (["Cache-Control": "max-age=60", "Expires": "0"], 60), (["Expires": "0"], 0), ([:], 0),
            (["Cache-Control": "max-age=60", "Age": "20"], 40), (["Cache-Control": "max-age=60", "Age": "90"], 0),
            (["Cache-Control": "max-age=60", "Age": "soon"], 60),
            (["Cache-Control": "max-age=60, no-cache"], 0), (["Cache-Control": "s-maxage=60"], 0),
            (["Last-Modified": "Sun, 06 Nov 1904 08:50:37 GMT"], 0),
            (["Cache-Control": "max-age=60", "Date": "Sun, 06 Nov 1994 08:49:07 GMT"], 30),
            (["Cache-Control": "max-age=60", "Date": "Sun, 06 Nov 2094 08:49:07 GMT"], 60),
            (["Expires": "Sun, 06 Nov 1994 08:50:37 GMT", "Date": "Sun, 06 Nov 1994 08:50:07 GMT"], 30),
        ] as [([String: String], Int)])
    func freshness(headers: [String: String], seconds: Int) {
        let fields = headers.map { HTTPHeaders.Field(name: $0.key, value: $0.value) }
        let stored = CachedResponse(.of(200, HTTPHeaders(fields)), sent: instant(0), received: instant(0))
        if seconds > 0 { #expect(stored.isFresh(at: instant(seconds - 1))) }
        #expect(!stored.isFresh(at: instant(seconds)))
    }

    @Test("the time that the response took counts, and a wall clock that is set does not")
    func clocks() {
        let headers: HTTPHeaders = ["Cache-Control": "max-age=60", "Date": date]
        let slow = CachedResponse(.of(200, headers), sent: instant(0), received: instant(0, wall: 0))
        for wall in [-1_000_000, 1_000_000] {
            #expect(slow.isFresh(at: instant(59, wall: wall)))
            #expect(!slow.isFresh(at: instant(60, wall: wall)))
        }
        let late = CachedResponse(.of(200, ["Cache-Control": "max-age=60"]), sent: instant(0), received: instant(50))
        #expect(late.age(at: instant(55)) == .seconds(55))
        #expect(late.reused(at: instant(55)).headers["Age"] == "55")
    }

    @Test("what is stored")
    func storable() {
        let stored: [HTTPResponse] = [
            .of(), .of(203), .of(200, ["Cache-Control": "private, max-age=0"]),
            .of(404, ["Cache-Control": "max-age=1"]),
            .of(301, ["Expires": date]), .of(200, ["Vary": "Accept, X-A"]),
        ]
        let others: [HTTPResponse] = [
            .of(206), .of(204), .of(404), .of(500, ["Cache-Control": "max-age=1"]), .of(302, ["Expires": date]),
            .of(200, ["Cache-Control": "no-store"]), .of(200, ["Vary": "*"]), .of(200, ["Vary": "Accept, COOKIE"]),
            HTTPResponse(head: HTTPResponseHead(status: 200, url: "", redirects: 1), body: Data()),
        ]
        #expect(stored.allSatisfy(CacheRules.mayStore))
        #expect(!others.contains(where: CacheRules.mayStore))
    }

    @Test("which requests the cache is for")
    func concern() {
        #expect(CacheRules.concern(HTTPRequest("https://h/")))
        #expect(!CacheRules.concern(HTTPRequest("https://h/", method: "HEAD")))
        for name in ["Range", "if-none-match", "If-Modified-Since"] {
            #expect(
                !CacheRules.concern(HTTPRequest("https://h/", headers: HTTPHeaders([.init(name: name, value: "x")]))))
        }
        #expect(!CacheRules.concern(HTTPRequest("https://h/", headers: ["Cache-Control": "no-store"])))
    }

    @Test("a change makes its own URL invalid, and what the server names, but of its own origin only")
    func outdated() {
        let request = HTTPRequest("https://h:8443/a?b", method: "POST")
        func also(_ place: String) -> [String] {
            let head = HTTPResponseHead(status: 201, headers: ["Location": place], url: request.url)
            return CacheRules.outdated(by: request, HTTPResponse(head: head, body: Data()))
                .filter { $0 != request.url }
        }
        #expect(also("/a/7") == ["https://h:8443/a/7"])
        #expect(also("https://h:8443/x") == ["https://h:8443/x"])
        #expect(also("https://h/x").isEmpty && also("//evil/x").isEmpty && also("https://evil/x").isEmpty)
    }
}
