import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// Bodies that are interrupted, have wrong lengths, or arrive in unusual ways.
struct BodyFaultTests {
    static let content = Array((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    let server: LocalHTTPServer

    init() throws {
        server = try LocalHTTPServer()
        server.serve(.bytes(Self.content), at: "/file")
        try server.start()
    }

    /// The body as it is received, and how the connection ended.
    private func raw(_ request: String = "GET /file HTTP/1.1\r\n\r\n") async throws -> (
        body: [UInt8], end: RawClient.End
    ) {
        let port = server.port
        return try await Curl.onThread {
            let client = try RawClient(port: port)
            try client.send(request)
            let (bytes, end) = client.receiveAll()
            let head = bytes.firstRange(of: Array("\r\n\r\n".utf8))
            return (Array(bytes[(head?.upperBound ?? 0)...]), end)
        }
    }

    @Test("a connection is closed in the middle once, and then not again")
    func closesOnce() async throws {
        server.setBehaviours([.closeAfter(bytes: 30_000), .correct], for: "/file")
        let first = try await raw()
        #expect(first.body == Array(Self.content[..<30_000]))
        #expect(first.end == .closed)
        #expect(try await HTTPClient.answer(server.url("/file")).body == Self.content)
        #expect(server.requests.map(\.isComplete) == [false, true])
        #expect(server.requests.map(\.bodyBytes) == [30_000, 100_000])
    }

    // With curl, which is a program.
    #if BACKGROUNDWORK_HAS_SUBPROCESSES
    @Test("a connection is closed in the middle of each range, always")
    func closesAlways() async throws {
        server.setBehaviour(.closeAfter(bytes: 10), for: "/file")
        for start in [0, 10, 20] {
            let answer = try await Curl.answer("-r", "\(start)-", server.url("/file"))
            #expect(answer.exit == 18)
            #expect(answer.body == Array(Self.content[start..<start + 10]))
        }
    }
    #endif

    @Test("a reset comes after the bytes before it")
    func reset() async throws {
        server.setBehaviour(.resetAfter(bytes: 50_000), for: "/file")
        let (body, end) = try await raw()
        #expect(end == .reset)
        #expect(body == Array(Self.content[..<50_000]))
        await #expect(throws: URLError.self) { try await HTTPClient.answer(server.url("/file")) }
    }

    @Test("an answer that gets lost is a closed connection without a byte")
    func lostAnswer() async throws {
        server.setBehaviour(.loseAnswer, for: "/file")
        let (body, end) = try await raw()
        #expect(body.isEmpty)
        #expect(end == .closed)
        await #expect(throws: URLError.self) { try await HTTPClient.answer(server.url("/file")) }
    }

    @Test("a body trickles byte by byte")
    func trickle() async throws {
        server.serve(.bytes(Self.content[..<50]), at: "/small")
        server.setBehaviour(
            .with { behaviour in
                behaviour.isChunked = true
                behaviour.bytesPerSecond = 5000
                behaviour.pieceBytes = 1
            }, for: "/small")
        // Chunks show the pieces, which a stream may put together again.
        let (body, _) = try await raw("GET /small HTTP/1.1\r\nConnection: close\r\n\r\n")
        let expected = Self.content[..<50].flatMap { Array("1\r\n".utf8) + [$0] + Array("\r\n".utf8) }
        #expect(body == expected + Array("0\r\n\r\n".utf8))
        server.setBehaviour(.trickle(bytesPerSecond: 5000), for: "/small")
        #expect(try await HTTPClient.answer(server.url("/small")).body == Array(Self.content[..<50]))
    }

    // With curl, which is a program.
    #if BACKGROUNDWORK_HAS_SUBPROCESSES
    @Test("a length that promises too much or too little")
    func wrongLength() async throws {
        server.setBehaviour(.promise(extraBytes: 5), for: "/file")
        let more = try await Curl.answer(server.url("/file"))
        #expect(more.exit == 18)
        #expect(more.header("Content-Length") == "100005")
        #expect(more.body.count == 100_000)
        server.setBehaviour(.promise(extraBytes: -5), for: "/file")
        let fewer = try await Curl.answer(server.url("/file"))
        #expect(fewer.header("Content-Length") == "99995")
        #expect(fewer.body.count == 99_995)
        #expect(try await raw().body.count == 100_000, "all bytes are sent")
    }

    @Test("chunks have no length, keep the connection, and can break off")
    func chunked() async throws {
        server.setBehaviours(
            [
                .chunked, .chunked,
                .with { behaviour in
                    behaviour.isChunked = true
                    behaviour.closesAfter = 70_000
                },
            ], for: "/file")
        let answer = try await Curl.answer(server.url("/file"))
        #expect(answer.header("Content-Length") == nil)
        #expect(answer.header("Transfer-Encoding") == "chunked")
        #expect(answer.body == Self.content)
        let range = try await Curl.answer("-r", "10-19", server.url("/file"))
        #expect(range.status == 206)
        #expect(range.body == Array(Self.content[10..<20]))
        let broken = try await Curl.answer(server.url("/file"))
        #expect(broken.exit == 18)
        #expect(broken.body.count == 70_000)
    }

    @Test("a body is compressed without a request for it, and gzip can read it")
    func compressed() async throws {
        server.setBehaviour(.compressed, for: "/file")
        let answer = try await Curl.answer("-H", "Accept-Encoding: identity", server.url("/file"))
        #expect(answer.header("Content-Encoding") == "gzip")
        #expect(answer.body != Self.content)
        #expect(answer.header("Content-Length") == "\(answer.body.count)")
        let folder = try TemporaryFolder()
        try Data(answer.body).write(to: URL(filePath: folder.path + "/file.gz"))
        #expect(try await ChildProcess.run(["gzip", "-d", folder.path + "/file.gz"]).end == .exited(0))
        #expect(FileManager.default.contents(atPath: folder.path + "/file").map(Array.init) == Self.content)
        #expect(try await Curl.answer("--compressed", server.url("/file")).body == Self.content)
        server.serve(.bytes([]), at: "/file")
        #expect(try await Curl.answer("--compressed", server.url("/file")).body.isEmpty)
    }
    #endif

    @Test("a held range continues when it is released, also after new orders")
    func held() async throws {
        server.setBehaviour(.holdAfter(bytes: 100), for: "/file")
        async let held = HTTPClient.answer(server.url("/file"), headers: ["Range": "bytes=1000-"])
        await server.wait { $0.last?.bodyBytes == 100 }
        server.setBehaviour(.correct, for: "/file")
        #expect(try await HTTPClient.answer(server.url("/file")).body == Self.content)
        server.release("/file")
        #expect(try await held.body == Array(Self.content[1000...]))
    }

    @Test("a held body continues as far as it is released, and is held there again")
    func heldTwice() async throws {
        server.setBehaviour(.holdAfter(bytes: 100), for: "/file")
        async let held = HTTPClient.answer(server.url("/file"), headers: ["Range": "bytes=1000-"])
        await server.wait { $0.last?.bodyBytes == 100 }
        server.release("/file", upTo: 50)
        server.release("/file", upTo: 70_000)
        await server.wait { $0.last?.bodyBytes == 70_000 }
        // The release counts for others as well.
        async let other = HTTPClient.answer(server.url("/file"))
        await server.wait { $0.count == 2 && $0.last?.bodyBytes == 70_000 }
        server.release("/file")
        #expect(try await held.body == Array(Self.content[1000...]))
        #expect(try await other.body == Self.content)
        server.setBehaviour(.holdAfter(bytes: 10), for: "/file")
        async let last = HTTPClient.answer(server.url("/file"))
        await server.wait { $0.count == 3 && $0.last?.bodyBytes == 10 }
        server.release("/file")
        #expect(try await last.body == Self.content)
    }

    @Test("a held body does not make up for the time that it was held")
    func paceAfterHold() async throws {
        server.setBehaviour(
            .with { behaviour in
                behaviour.holdsAfter = 1000
                behaviour.bytesPerSecond = 200_000
            }, for: "/file")
        async let held = HTTPClient.answer(server.url("/file"), headers: ["Range": "bytes=0-41999"])
        await server.wait { $0.last?.bodyBytes == 1000 }
        try await Task.sleep(for: .milliseconds(300))
        let clock = ContinuousClock()
        let released = clock.now
        server.release("/file")
        #expect(try await held.body.count == 42_000)
        // The 41,000 bytes that are left, but for the last piece.
        #expect(clock.now - released > .milliseconds(150))
    }
}
