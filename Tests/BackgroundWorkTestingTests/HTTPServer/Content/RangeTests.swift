import BackgroundWorkTesting
import Foundation
import Testing

/// Ranges and their conditions, as RFC 9110 wants them and as servers get them wrong.
struct RangeTests {
    static let content = Array((0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 13) })
    static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    let server: LocalHTTPServer

    init() throws {
        server = try LocalHTTPServer()
        server.serve(.bytes(Self.content, entityTag: "\"v1\"", lastModified: Self.date), at: "/file")
        try server.start()
    }

    private func get(_ range: String, _ more: String...) async throws -> HTTPClient.Answer {
        try await HTTPClient.answer(
            server.url("/file"), headers: ["Range": range, "If-Range": more.first ?? "\"v1\""])
    }

    @Test("bounded, open and suffix ranges say which bytes they are")
    func ranges() async throws {
        let cases: [(String, Range<Int>)] = [
            ("bytes=100-199", 100..<200), ("bytes=9990-", 9990..<10_000), ("bytes=-10", 9990..<10_000),
            ("bytes=-20000", 0..<10_000), ("bytes=9000-20000", 9000..<10_000), ("bytes=0-0", 0..<1),
        ]
        for (range, bytes) in cases {
            let answer = try await get(range)
            #expect(answer.status == 206, "\(range)")
            #expect(answer.header("Content-Range") == "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/10000")
            #expect(answer.body == Array(Self.content[bytes]), "\(range)")
        }
        #expect(server.requests[0].range?.start == 100)
        #expect(server.requests[0].range?.end == 199)
        #expect(server.requests[2].range?.start == -10)
    }

    @Test("a range behind the end is 416 and says the size")
    func unsatisfiable() async throws {
        for range in ["bytes=10000-", "bytes=20000-30000", "bytes=-0"] {
            let answer = try await get(range)
            #expect(answer.status == 416)
            #expect(answer.header("Content-Range") == "bytes */10000")
            #expect(answer.body.isEmpty)
        }
    }

    @Test(
        "a request without a single valid range gets the whole file",
        arguments: ["bytes=9-5", "items=0-5", "bytes=0-1,5-6", "bytes=x-"])
    func ignored(range: String) async throws {
        let answer = try await get(range)
        #expect(answer.status == 200)
        #expect(answer.body == Self.content)
    }

    @Test("If-Range holds for the strong tag and the date, and for nothing else")
    func condition() async throws {
        #expect(try await get("bytes=5-", "\"v1\"").status == 206)
        #expect(try await get("bytes=5-", Self.date).status == 206)
        #expect(try await get("bytes=5-", "\"v2\"").status == 200)
        #expect(try await get("bytes=5-", "W/\"v1\"").status == 200)
        #expect(try await get("bytes=5-", "Sun, 06 Nov 1994 08:49:38 GMT").status == 200)
        server.serve(.bytes(Self.content, entityTag: "W/\"v1\""), at: "/file")
        #expect(try await get("bytes=5-", "W/\"v1\"").status == 200, "weak tags never match strongly")
    }

    @Test("HEAD has the head of GET and no body")
    func head() async throws {
        let answer = try await HTTPClient.answer(server.url("/file"), method: "HEAD", headers: ["Range": "bytes=0-9"])
        #expect(answer.status == 200)
        #expect(answer.header("Content-Length") == "10000")
        #expect(answer.header("Accept-Ranges") == "bytes")
        #expect(answer.header("ETag") == "\"v1\"")
        #expect(answer.header("Last-Modified") == Self.date)
        #expect(answer.body.isEmpty)
        #expect(server.requests.map(\.method) == ["HEAD"])
        #expect(server.requests[0].bodyBytes == 0)
    }

    @Test("validators and Accept-Ranges can be missing")
    func missingHeaders() async throws {
        server.setBehaviour(.hide("accept-ranges", "ETag"), for: "/file")
        let answer = try await HTTPClient.answer(server.url("/file"))
        #expect(answer.header("Accept-Ranges") == nil)
        #expect(answer.header("ETag") == nil)
        #expect(answer.header("Last-Modified") == Self.date)
        server.serve(.bytes(Self.content, entityTag: nil), at: "/bare")
        let bare = try await HTTPClient.answer(server.url("/bare"))
        #expect(bare.header("ETag") == nil)
        #expect(bare.header("Last-Modified") == nil)
    }

    @Test("ranges are ignored when that is wanted")
    func ignoresRanges() async throws {
        server.setBehaviour(.ignoreRanges, for: "/file")
        let answer = try await get("bytes=100-199")
        #expect(answer.status == 200)
        #expect(answer.header("Content-Range") == nil)
        #expect(answer.body == Self.content)
    }

    @Test("a Content-Range can be wrong in its start and its total, and missing")
    func wrongContentRange() async throws {
        server.setBehaviours(
            [.contentRange(.start(shiftedBy: -50)), .contentRange(.total(77)), .contentRange(.missing), .correct],
            for: "/file")
        let said = ["bytes 50-149/10000", "bytes 100-199/77", nil, "bytes 100-199/10000"]
        for header in said {
            let answer = try await get("bytes=100-199")
            #expect(answer.status == 206)
            #expect(answer.header("Content-Range") == header)
            #expect(answer.body == Array(Self.content[100..<200]))
        }
    }

    @Test("the entity changes at a chosen request")
    func changedEntity() async throws {
        let new = Array(Self.content.reversed())
        server.setBehaviours(
            [.correct, .replace(with: .bytes(new, entityTag: "\"v2\"")), .correct], for: "/file")
        #expect(try await get("bytes=0-4999").body == Array(Self.content[..<5000]))
        let second = try await get("bytes=5000-")
        #expect(second.status == 200)
        #expect(second.header("ETag") == "\"v2\"")
        #expect(second.body == new)
        #expect(try await get("bytes=5000-", "\"v2\"").body == Array(new[5000...]))
    }
}
