import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// The server that other tests rely on, held against curl where there are programs, and against URLSession.
struct LocalHTTPServerTests {
    let server: LocalHTTPServer
    static let content = Array((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

    init() throws {
        server = try LocalHTTPServer()
        server.serve(.bytes(Self.content), at: "/file")
        try server.start()
    }

    // With curl, which is a program.
    #if BACKGROUNDWORK_HAS_SUBPROCESSES
    private func curl(_ arguments: String...) async throws -> (status: Int32, body: [UInt8]) {
        try await Curl.run(arguments)
    }

    @Test("a whole file, a range, and the effect of If-Range on it")
    func ranges() async throws {
        #expect(try await curl(server.url("/file")).body == Self.content)
        #expect(try await curl("-r", "500-999", server.url("/file")).body == Array(Self.content[500..<1000]))
        #expect(try await curl("-r", "99990-", server.url("/file")).body == Array(Self.content[99990...]))
        let matching = try await curl("-r", "500-", "-H", "If-Range: \"bytes\"", server.url("/file"))
        #expect(matching.body.count == 99_500)
        let changed = try await curl("-r", "500-", "-H", "If-Range: \"other\"", server.url("/file"))
        #expect(changed.body.count == 100_000)
        #expect(
            try await curl("-o", "/dev/null", "-w", "%{http_code}", "-r", "100000-", server.url("/file")).body
                == Array("416".utf8))
        #expect(server.requests.map(\.status) == [200, 206, 206, 206, 200, 416])
    }

    @Test("faults have the names that curl gives them")
    func misbehaviour() async throws {
        server.setBehaviour(.closeAfter(bytes: 10), for: "/file")
        #expect(try await curl(server.url("/file")).status == 18)
        server.setBehaviour(.promise(extraBytes: 5), for: "/file")
        #expect(try await curl(server.url("/file")).status == 18)
        server.setBehaviour(.withoutLength, for: "/file")
        #expect(try await curl(server.url("/file")).body == Self.content)
        server.setBehaviour(.status(503), for: "/file")
        #expect(try await curl("-f", server.url("/file")).status == 22)
        server.setBehaviour(.redirect(to: server.url("/other")), for: "/file")
        server.serve(.generated(bytes: 1000), at: "/other")
        #expect(try await curl("-L", server.url("/file")).body.count == 1000)
        server.setBehaviours([.status(500), .correct], for: "/file")
        #expect(try await curl("-f", server.url("/file")).status == 22)
        #expect(try await curl("-f", server.url("/file")).status == 0)
        #expect(try await curl("-f", server.url("/nothing")).status == 22)
    }
    #endif

    @Test("a held body waits for its release")
    func hold() async throws {
        server.setBehaviour(.holdAfter(bytes: 64), for: "/file")
        async let body = HTTPClient.answer(server.url("/file")).body
        await server.wait { $0.last?.bodyBytes == 64 }
        server.release("/file")
        #expect(try await body == Self.content)
        #expect(server.requests.last?.isComplete == true)
    }

    @Test("a range of a generated body is a slice of the whole")
    func generated() async throws {
        server.serve(.generated(bytes: 5 << 30, seed: 9), at: "/large")
        server.serve(.generated(bytes: 10_000, seed: 9), at: "/small")
        func range(_ bytes: String) async throws -> HTTPClient.Answer {
            try await HTTPClient.answer(server.url("/large"), headers: ["Range": "bytes=" + bytes])
        }
        let whole = try await HTTPClient.answer(server.url("/small")).body
        #expect(try await range("3333-6666").body == Array(whole[3333...6666]))
        #expect(try await range("5368709110-").body.count == 10)
    }

    // With curl, which is a program.
    #if BACKGROUNDWORK_HAS_SUBPROCESSES
    @Test("headers over the limit are rejected, and other connections continue")
    func largeHeaders() async throws {
        let large = "X-Large: " + String(repeating: "x", count: 70_000)
        let answer = try await curl("-o", "/dev/null", "-w", "%{http_code}", "-H", large, server.url("/file"))
        #expect(answer.body == Array("431".utf8))
        #expect(try await curl(server.url("/file")).status == 0)
    }
    #endif

    @Test("stopping ends requests in progress")
    func stop() async throws {
        server.setBehaviour(.silence, for: "/file")
        let url = server.url("/file")
        let client = Task { try await HTTPClient.answer(url) }
        await server.wait { !$0.isEmpty }
        server.stop()
        await #expect(throws: URLError.self) { try await client.value }
    }
}
