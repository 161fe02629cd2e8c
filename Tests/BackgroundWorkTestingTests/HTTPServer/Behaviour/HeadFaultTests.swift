import BackgroundWorkTesting
import Foundation
import Testing

/// Statuses, redirects, and heads that no server should send.
struct HeadFaultTests {
    let server: LocalHTTPServer

    init() throws {
        server = try LocalHTTPServer()
        server.serve(.bytes("content".utf8), at: "/file")
        try server.start()
    }

    @Test("a page of HTML comes with 200 in the place of the file")
    func errorPage() async throws {
        server.setBehaviour(.errorPage, for: "/file")
        let answer = try await HTTPClient.answer(server.url("/file"))
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == "text/html; charset=utf-8")
        #expect(answer.text.hasPrefix("<!DOCTYPE html>"))
    }

    @Test("Retry-After in seconds and as a date")
    func retryAfter() async throws {
        let date = Date(timeIntervalSince1970: 784_111_777)
        server.setBehaviours(
            [.status(503, retryAfter: .seconds(120)), .status(429, retryAfter: .date(date))], for: "/file")
        let first = try await HTTPClient.answer(server.url("/file"))
        #expect(first.status == 503)
        #expect(first.header("Retry-After") == "120")
        let second = try await HTTPClient.answer(server.url("/file"))
        #expect(second.status == 429)
        #expect(second.header("Retry-After") == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    // With curl, which is a program.
    #if BACKGROUNDWORK_HAS_SUBPROCESSES
    @Test("redirects chain, over relative URLs and to another origin")
    func redirects() async throws {
        let other = try LocalHTTPServer()
        other.serve(.bytes("elsewhere".utf8), at: "/there")
        try other.start()
        server.setBehaviour(.redirect(to: "/b/c", status: 301), for: "/a")
        server.setBehaviour(.redirect(to: "d?x=1", status: 307), for: "/b/c")
        server.setBehaviour(.redirect(to: other.url("/there"), status: 308), for: "/b/d")
        let answer = try await Curl.answer("-L", "-H", "Authorization: secret", server.url("/a"))
        #expect(answer.text == "elsewhere")
        #expect(server.requests.map(\.path) == ["/a", "/b/c", "/b/d?x=1"])
        #expect(server.requests.map(\.status) == [301, 307, 308])
        #expect(other.requests.map(\.status) == [200])
    }

    @Test("a redirect loop ends when the client has had enough")
    func redirectLoop() async throws {
        server.setBehaviour(.redirect(to: "/b"), for: "/a")
        server.setBehaviour(.redirect(to: "/a"), for: "/b")
        #expect(try await Curl.answer("-L", "--max-redirs", "9", server.url("/a")).exit == 47)
        #expect(server.requests.count == 10)
        #expect(Set(server.requests.map(\.connection)) == [1])
    }

    @Test("header fields are chosen freely, and replace what is there")
    func headers() async throws {
        server.setBehaviour(
            .headers([
                HeaderField("Content-Disposition", "attachment; filename=\"a b.bin\""),
                HeaderField("content-type", "image/png"), HeaderField("Set-Cookie", "a=1"),
                HeaderField("Set-Cookie", "b=2"),
            ]), for: "/file")
        let answer = try await Curl.answer(server.url("/file"))
        #expect(answer.header("Content-Disposition") == "attachment; filename=\"a b.bin\"")
        #expect(answer.head.filter { $0.lowercased().hasPrefix("content-type:") } == ["content-type: image/png"])
        #expect(answer.head.filter { $0.hasPrefix("Set-Cookie:") }.count == 2)
        #expect(answer.text == "content")
    }
    #endif

    @Test("a header of a mebibyte, and ten thousand headers")
    func hugeHeaders() async throws {
        server.setBehaviours([.largeHeader(bytes: 1 << 20), .manyHeaders(10_000)], for: "/file")
        let port = server.port
        let sizes = try await Curl.onThread {
            try (0..<2).map { _ in
                let client = try RawClient(port: port)
                try client.send("GET /file HTTP/1.1\r\nConnection: close\r\n\r\n")
                let lines = String(decoding: client.receiveAll().bytes, as: UTF8.self).components(separatedBy: "\r\n")
                return [lines.map(\.utf8.count).max() ?? 0, lines.count]
            }
        }
        #expect(sizes[0][0] == (1 << 20) + "X-Large: ".utf8.count)
        #expect(sizes[1][1] > 10_000)
    }

    // With curl, which is a program.
    #if BACKGROUNDWORK_HAS_SUBPROCESSES
    @Test("curl refuses a header of a mebibyte")
    func refusedHeader() async throws {
        server.setBehaviour(.largeHeader(bytes: 1 << 20), for: "/file")
        #expect(try await Curl.answer(server.url("/file")).exit != 0)
    }

    @Test("a malformed status line is sent as it is")
    func statusLine() async throws {
        server.setBehaviour(.statusLine("HTTQ/9 two hundred"), for: "/file")
        #expect(try await Curl.answer(server.url("/file")).exit != 0)
        server.setBehaviour(.statusLine("HTTP/1.1 999 Odd"), for: "/file")
        #expect(try await Curl.answer(server.url("/file")).status == 999)
    }

    @Test("204 and 304 have no body")
    func bodilessStatuses() async throws {
        server.setBehaviours([.status(204), .status(304), .correct], for: "/file")
        let answer = try await Curl.run([server.url("/file"), server.url("/file"), server.url("/file")])
        #expect(answer.body == Array("content".utf8))
        #expect(Set(server.requests.map(\.connection)) == [1])
    }
    #endif

    @Test("a behavior is for one method, if that is wanted")
    func methods() async throws {
        server.setBehaviour(.status(405), for: "/file", method: "HEAD")
        #expect(try await HTTPClient.answer(server.url("/file"), method: "HEAD").status == 405)
        #expect(try await HTTPClient.answer(server.url("/file")).status == 200)
    }
}
