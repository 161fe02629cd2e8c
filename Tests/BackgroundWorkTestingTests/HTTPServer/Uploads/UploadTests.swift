import BackgroundWorkFiles
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// Receiving uploads, and refusing them half-way.
struct UploadTests {
    static let content = Array((0..<500_000).map { UInt8(truncatingIfNeeded: $0 &* 11) })
    let server: LocalHTTPServer
    let folder: TemporaryFolder
    let file: String

    init() throws {
        server = try LocalHTTPServer()
        folder = try TemporaryFolder()
        file = folder.path + "/content"
        try Data(Self.content).write(to: URL(filePath: file))
        server.acceptUploads(at: "/upload")
        try server.start()
    }

    /// Uploads the content with PUT.
    private func put(_ headers: [String: String] = [:]) async throws -> HTTPClient.Answer {
        try await HTTPClient.answer(server.url("/upload"), method: "PUT", headers: headers, body: Self.content)
    }

    @Test("PUT with a length arrives byte for byte")
    func putsWithLength() async throws {
        #expect(try await put(["X-Name": "a"]).status == 200)
        let upload = try #require(server.uploads(at: "/upload").first)
        #expect(upload.method == "PUT")
        #expect(upload.bytes == Self.content)
        #expect(upload.byteCount == 500_000)
        #expect(upload.sha256 == (try await FileDigest.sha256(ofFileAt: file)))
        #expect(upload.isComplete)
        #expect(upload.headers["x-name"] == "a")
        #expect(upload.headers["content-length"] == "500000")
        #expect(server.requests.map(\.receivedBytes) == [500_000])
        #expect(upload.ordinal == server.requests[0].ordinal)
    }

    // With curl, which is a program.
    #if BACKGROUNDWORK_HAS_SUBPROCESSES
    @Test("POST in chunks arrives byte for byte, and the connection continues")
    func chunked() async throws {
        let upload = ["-H", "Transfer-Encoding: chunked", "--data-binary", "@\(file)", server.url("/upload")]
        let (exit, _) = try await Curl.run(upload + ["--next", "-s"] + upload)
        #expect(exit == 0)
        let uploads = server.uploads(at: "/upload")
        #expect(uploads.map(\.bytes) == [Self.content, Self.content])
        #expect(uploads.map(\.method) == ["POST", "POST"])
        #expect(uploads.allSatisfy { $0.headers["content-length"] == nil && $0.isComplete })
        #expect(server.requests.map(\.connection) == [1, 1])
    }
    #endif

    @Test("chunk extensions and trailers are read over, and a bad chunk breaks the upload off")
    func chunkSyntax() async throws {
        let port = server.port
        let answers = try await Curl.onThread {
            try ["3;x=y\r\nabc\r\n0\r\nTrailer: t\r\n\r\n", "zz\r\nabc\r\n", "3\r\nabcdef\r\n"].map { body in
                let client = try RawClient(port: port)
                try client.send("POST /upload HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + body)
                client.endSending()
                return String(decoding: client.receiveAll().bytes.prefix(12), as: UTF8.self)
            }
        }
        #expect(answers == ["HTTP/1.1 200", "", ""])
        #expect(server.uploads(at: "/upload").map(\.isComplete) == [true, false, false])
        #expect(server.uploads(at: "/upload").first?.bytes == Array("abc".utf8))
    }

    @Test("no more is kept than is wanted, but all of it is counted and digested")
    func limit() async throws {
        server.acceptUploads(at: "/upload", keeping: 1000)
        #expect(try await put().status == 200)
        let upload = try #require(server.uploads(at: "/upload").first)
        #expect(upload.bytes == Array(Self.content[..<1000]))
        #expect(upload.byteCount == 500_000)
        #expect(upload.sha256 == (try await FileDigest.sha256(ofFileAt: file)))
    }

    @Test("clients that wait for 100 Continue get it, or a rejection instead, or nothing")
    func expectation() async throws {
        let port = server.port
        let head = "PUT /upload HTTP/1.1\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n"
        let first = try await Curl.onThread {
            let client = try RawClient(port: port)
            try client.send(head)
            let interim = client.receive(until: "\r\n\r\n")
            try client.send("abc")
            return (interim, client.receive(until: "bytes\n"))
        }
        #expect(first.0 == Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        #expect(first.1.starts(with: "HTTP/1.1 200".utf8))
        server.setBehaviours([.refuseUpload(after: 0), .ignoreExpectation], for: "/upload")
        let (refused, silent) = try await Curl.onThread {
            let client = try RawClient(port: port)
            try client.send(head)
            // The server waits for the client's end, and a rejected client ends.
            let refused = client.receive(until: "wants it\n")
            let other = try RawClient(port: port)
            try other.send(head + "abc")
            return (refused, other.receive(until: "bytes\n"))
        }
        #expect(refused.starts(with: "HTTP/1.1 413".utf8))
        #expect(silent.starts(with: "HTTP/1.1 200".utf8), "without an interim answer")
        #expect(server.uploads(at: "/upload").map(\.byteCount) == [3, 0, 3])
    }

    // With curl, which is a program.
    #if BACKGROUNDWORK_HAS_SUBPROCESSES
    @Test("an upload is rejected half-way with 413, and what arrived is kept")
    func refusal() async throws {
        server.setBehaviours([.refuseUpload(after: 100_000), .correct], for: "/upload")
        let (exit, output) = try await Curl.run(["-i", "-T", file, server.url("/upload")])
        #expect(exit == 0)
        #expect(String(decoding: output, as: UTF8.self).contains("HTTP/1.1 413 "))
        let upload = try #require(server.uploads(at: "/upload").first)
        #expect(upload.bytes == Array(Self.content[..<100_000]))
        #expect(!upload.isComplete)
        #expect(try await put().status == 200)
    }
    #endif

    @Test("a connection is closed or reset in the middle of an upload")
    func brokenOff() async throws {
        server.setBehaviours([.closeUpload(after: 100_000), .resetUpload(after: 1)], for: "/upload")
        await #expect(throws: URLError.self) { try await put() }
        await #expect(throws: URLError.self) { try await put() }
        let port = server.port
        let end = try await Curl.onThread {
            let client = try RawClient(port: port)
            try client.send("PUT /upload HTTP/1.1\r\nContent-Length: 3\r\n\r\nab")
            return client.receiveAll().end
        }
        #expect(end == .reset)
        #expect(server.uploads(at: "/upload").map(\.byteCount) == [100_000, 1, 1])
        #expect(server.requests.map(\.status) == [0, 0, 0])
    }

    @Test("the bytes of a client that disconnects are kept")
    func clientGone() async throws {
        let port = server.port
        try await Curl.onThread {
            try RawClient(port: port).send("PUT /upload HTTP/1.1\r\nContent-Length: 30\r\n\r\nabc")
        }
        await server.wait { $0.first?.isOver == true }
        #expect(server.uploads(at: "/upload").map(\.bytes) == [Array("abc".utf8)])
        #expect(server.uploads(at: "/upload").map(\.isComplete) == [false])
    }

    @Test("an upload whose answer gets lost is kept nevertheless")
    func lostAnswer() async throws {
        server.setBehaviours([.loseAnswer, .correct], for: "/upload")
        await #expect(throws: URLError.self) { try await put() }
        #expect(server.uploads(at: "/upload").map(\.isComplete) == [true])
    }

    @Test("status, body and header of the answer are chosen")
    func answer() async throws {
        server.setBehaviour(
            .answer(201, contentType: "application/json", body: #"{"id":7}"#), for: "/upload", method: "POST")
        let answer = try await HTTPClient.answer(server.url("/upload"), method: "POST", body: "x=1".utf8)
        #expect(answer.status == 201)
        #expect(answer.text == #"{"id":7}"#)
        #expect(answer.header("Content-Type") == "application/json")
        #expect(server.uploads(at: "/upload").map(\.bytes) == [Array("x=1".utf8)])
        #expect(try await put().status == 200)
    }

    @Test("a held upload continues when it is released")
    func held() async throws {
        server.setBehaviour(.holdUpload(after: 100_000), for: "/upload")
        async let answer = put()
        await server.wait { $0.last?.receivedBytes == 100_000 }
        #expect(server.uploads(at: "/upload").isEmpty)
        server.release("/upload", upTo: 150_000)
        await server.wait { $0.last?.receivedBytes == 150_000 }
        server.release("/upload")
        #expect(try await answer.status == 200)
        #expect(server.uploads(at: "/upload").map(\.bytes) == [Self.content])
    }

    // With curl, which is a program.
    #if BACKGROUNDWORK_HAS_SUBPROCESSES
    @Test("an upload that is redirected with 307 is sent again")
    func redirected() async throws {
        server.setBehaviour(.redirect(to: "/upload", status: 307), for: "/old")
        #expect(try await Curl.answer("-L", "-d", "x=1", server.url("/old")).status == 200)
        #expect(server.requests.map(\.receivedBytes) == [3, 3])
    }
    #endif
}
