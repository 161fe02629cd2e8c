import BackgroundWorkHTTP
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

@Suite("HTTP requests in process, with a server")
struct HTTPTransportTests {
    let server: LocalHTTPServer
    let transport: HTTPTransport
    let folder: TemporaryFolder
    let content = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })

    init() throws {
        server = try LocalHTTPServer()
        try server.start()
        server.serve(.bytes(Array(content)), at: "/file")
        server.serve(.bytes(Array("hello".utf8)), at: "/small")
        server.acceptUploads(at: "/in")
        folder = try TemporaryFolder()
        transport = Self.transport()
    }

    static func transport(_ change: (inout HTTPTransport.Configuration) -> Void = { _ in }) -> HTTPTransport {
        var configuration = HTTPTransport.Configuration()
        configuration.securityPolicy = .unrestricted
        change(&configuration)
        return HTTPTransport(configuration: configuration)
    }

    private func failure(_ body: () async throws -> some Any) async -> HTTPError? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? HTTPError
        }
    }

    // MARK: Responses

    @Test("a response has its status, its headers, and its whole body")
    func whole() async throws {
        let response = try await transport.send(HTTPRequest(server.url("/file"), headers: ["X-A": "b", "X-Empty": ""]))
        #expect(response.status == 200)
        #expect(response.body == content)
        #expect(response.headers["content-length"] == "3000000")
        #expect(response.head.url == server.url("/file"))
        let request = try #require(server.requests.first)
        #expect(request.header("x-a") == "b")
        #expect(request.header("x-empty") == "")
        #expect(request.header("user-agent") == "BackgroundWork/1")
        #expect(request.header("accept-encoding")?.contains("gzip") == true)
    }

    @Test("a status is no error, and its body is there", arguments: [204, 304, 400, 401, 404, 500, 503])
    func statuses(status: Int) async throws {
        let hasBody = status != 204 && status != 304
        server.setBehaviour(hasBody ? .answer(status, body: "why") : .status(status), for: "/small")
        let response = try await transport.send(HTTPRequest(server.url("/small")))
        #expect(response.status == status)
        #expect(String(decoding: response.body, as: UTF8.self) == (hasBody ? "why" : ""))
    }

    @Test("HEAD and DELETE have no body to send, and the former none to receive")
    func bare() async throws {
        let head = try await transport.send(HTTPRequest(server.url("/file"), method: "HEAD"))
        #expect(head.status == 200)
        #expect(head.body.isEmpty)
        #expect(head.headers["Content-Length"] == "3000000")
        server.setBehaviour(.status(204), for: "/small", method: "DELETE")
        #expect(try await transport.send(HTTPRequest(server.url("/small"), method: "DELETE")).status == 204)
        #expect(server.requests.map(\.method) == ["HEAD", "DELETE"])
    }

    @Test("a compressed body is decompressed, also of a failure, and one that is cut is an error")
    func compressed() async throws {
        server.setBehaviours(
            [.compressed, .compressed.closed(afterBytes: 1000)], for: "/file")
        #expect(try await transport.send(HTTPRequest(server.url("/file"))).body == content)
        let error = await failure { try await transport.send(HTTPRequest(server.url("/file"))) }
        #expect(error?.isRetryable == true, "\(String(describing: error))")
    }

    @Test("a body that breaks off, or never comes, is an error", arguments: [0, 1, 1_000_000] as [Int64])
    func cut(bytes: Int64) async throws {
        server.setBehaviour(.closeAfter(bytes: bytes), for: "/file")
        let error = try #require(await failure { try await transport.send(HTTPRequest(server.url("/file"))) })
        #expect(error.kind == .truncated || error.kind == .network)
        #expect(error.isRetryable)
        #expect(error.message.contains(server.url("/file")), "\(error)")
    }

    @Test("a response that is longer than allowed is refused, whether it says so or not")
    func limit() async throws {
        var request = HTTPRequest(server.url("/file"))
        request.responseLimit = 2_999_999
        for behaviour in [Behaviour.chunked, .withoutLength, .compressed, .with { _ in }] {
            server.setBehaviour(behaviour, for: "/file")
            let error = try #require(await failure { try await transport.send(request) })
            #expect(error.kind == .tooLong)
            #expect(error.message.contains("responseLimit"))
            #expect(!error.isRetryable)
        }
        request.responseLimit = 3_000_000
        #expect(try await transport.send(request).body.count == 3_000_000)
    }

    // MARK: Streams and files

    @Test("a stream has all pieces, in their order")
    func streamed() async throws {
        let response = try await transport.stream(HTTPRequest(server.url("/file")))
        #expect(response.head.contentLength == 3_000_000)
        var received = Data()
        for try await piece in response.body { received += piece }
        #expect(received == content)
    }

    @Test("a stream that is released ends its request")
    func released() async throws {
        server.serve(.generated(bytes: 40_000_000), at: "/large")
        do {
            let response = try await transport.stream(HTTPRequest(server.url("/large")))
            #expect(response.head.status == 200)
        }
        await server.wait { $0.first?.isOver == true }
        #expect(server.requests[0].isComplete == false)
    }

    @Test("a stream whose body breaks off throws after the pieces that have come")
    func cutStream() async throws {
        server.setBehaviour(.closeAfter(bytes: 100_000), for: "/file")
        let response = try await transport.stream(HTTPRequest(server.url("/file")))
        var received = Data()
        let error = await failure { for try await piece in response.body { received += piece } }
        #expect(error?.kind == .truncated || error?.kind == .network)
        #expect(received == content.prefix(100_000))
    }

    @Test("a file is in place when it is complete, and what was there stays until then")
    func download() async throws {
        let path = folder.path + "/out"
        try Data("old".utf8).write(to: URL(filePath: path))
        server.setBehaviours([.closeAfter(bytes: 1_000_000), .status(404), .with { _ in }], for: "/file")
        #expect(await failure { try await transport.download(HTTPRequest(server.url("/file")), to: path) } != nil)
        #expect(try await transport.download(HTTPRequest(server.url("/file")), to: path).status == 404)
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("old".utf8))
        let response = try await transport.download(HTTPRequest(server.url("/file")), to: path)
        #expect(response.status == 200)
        #expect(response.body.isEmpty)
        #expect(try Data(contentsOf: URL(filePath: path)) == content)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out"])
    }

    @Test("an empty file, and folders that are not there")
    func emptyDownload() async throws {
        server.serve(.bytes([]), at: "/empty")
        let path = folder.path + "/no/folder/empty"
        #expect(try await transport.download(HTTPRequest(server.url("/empty")), to: path).status == 200)
        #expect(try Data(contentsOf: URL(filePath: path)).isEmpty)
        // A folder is not replaced.
        let error = await failure { try await transport.download(HTTPRequest(server.url("/file")), to: folder.path) }
        #expect(error?.kind == .disk)
    }

    @Test("files are read and written where the policy allows it only")
    func files() async throws {
        let transport = Self.transport { $0.securityPolicy.allowedDirectories = [folder.path + "/open"] }
        let outside = folder.path + "/outside"
        try Data([1]).write(to: URL(filePath: outside))
        try FileManager.default.createDirectory(atPath: folder.path + "/open", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/open/link", withDestinationPath: folder.path)
        for path in [outside, folder.path + "/open/../outside", folder.path + "/open/link/outside", "/proc/self/mem"] {
            let sent = await failure {
                try await transport.send(HTTPRequest(server.url("/in"), method: "POST", body: .file(path: path)))
            }
            #expect(sent?.kind == .refused, "\(path): \(String(describing: sent))")
            let saved = await failure { try await transport.download(HTTPRequest(server.url("/small")), to: path) }
            #expect(saved?.kind == .refused, "\(path): \(String(describing: saved))")
        }
        #expect(try Data(contentsOf: URL(filePath: outside)) == Data([1]))
        let path = folder.path + "/open/file"
        #expect(try await transport.download(HTTPRequest(server.url("/small")), to: path).status == 200)
        let sent = try await transport.send(HTTPRequest(server.url("/in"), method: "PUT", body: .file(path: path)))
        #expect(sent.head.isSuccess)
    }

    // MARK: Bodies to send

    @Test("bytes, a file and a stream are sent as they are", arguments: ["POST", "PUT"])
    func bodies(method: String) async throws {
        let path = folder.path + "/body"
        try content.write(to: URL(filePath: path))
        let pieces = stride(from: 0, to: content.count, by: 70_001).map {
            content[$0..<min($0 + 70_001, content.count)]
        }
        let bodies: [HTTPBody] = [
            .bytes(content), .file(path: path), .stream(length: Int64(content.count), Self.stream(of: pieces)),
            .stream(length: nil, Self.stream(of: pieces)), .bytes(Data()),
        ]
        for body in bodies {
            let answer = try await transport.send(
                HTTPRequest(server.url("/in"), method: method, headers: ["Content-Type": "text/x"], body: body))
            #expect(answer.head.isSuccess)
        }
        let uploads = server.uploads(at: "/in")
        #expect(uploads.map(\.byteCount) == [3_000_000, 3_000_000, 3_000_000, 3_000_000, 0])
        #expect(Set(uploads.prefix(4).map(\.sha256)).count == 1)
        #expect(uploads[0].bytes == Array(content))
        #expect(uploads.allSatisfy { $0.headers["content-type"] == "text/x" })
    }

    private static func stream(of pieces: [Data]) -> AsyncThrowingStream<Data, any Error> {
        AsyncThrowingStream { continuation in
            for piece in pieces { continuation.yield(piece) }
            continuation.finish()
        }
    }

    @Test("a stream that fails, or has another length than it says, fails the request with words")
    func badStreams() async throws {
        struct Broken: Error {}
        let broken = AsyncThrowingStream<Data, any Error> { $0.finish(throwing: Broken()) }
        for (body, word) in [
            (HTTPBody.stream(length: nil, broken), "Broken"),
            (.stream(length: 5, Self.stream(of: [Data("abc".utf8)])), "only 3"),
            (.stream(length: 2, Self.stream(of: [Data("abc".utf8)])), "more"),
        ] {
            let error = try #require(
                await failure {
                    try await transport.send(HTTPRequest(server.url("/in"), method: "POST", body: body))
                })
            #expect(error.message.contains(word), "\(error)")
        }
    }

    @Test("a stream that goes on after its length fails the request, wherever its pieces end", arguments: [4000, 4500])
    func longStream(length: Int64) async throws {
        let stream = AsyncThrowingStream<Data, any Error> { continuation in
            for _ in 0..<5 { continuation.yield(Data(count: 1000)) }
            continuation.finish()
        }
        let request = HTTPRequest(server.url("/in"), method: "POST", body: .stream(length: length, stream))
        let error = await failure { try await transport.send(request) }
        #expect(error?.message.contains("has more bytes") == true, "\(String(describing: error))")
    }

    @Test("numbers that make no sense are refused")
    func numbers() async throws {
        let stream = AsyncThrowingStream<Data, any Error> { $0.finish() }
        let request = HTTPRequest(server.url("/in"), method: "POST", body: .stream(length: -1, stream))
        #expect(await failure { try await transport.send(request) }?.message.contains("is -1 bytes") == true)
        for rate in [0, -5] as [Int64] {
            let limited = Self.transport { $0.bytesPerSecond = rate }
            let error = await failure { try await limited.send(HTTPRequest(server.url("/small"))) }
            #expect(error?.kind == .invalid)
        }
    }

    @Test("a missing file, and a folder, are errors before anything is sent")
    func badFiles() async throws {
        for path in [folder.path + "/none", folder.path] {
            let error = await failure {
                try await transport.send(HTTPRequest(server.url("/in"), method: "POST", body: .file(path: path)))
            }
            #expect(error?.kind == .disk)
        }
        #expect(server.requests.isEmpty)
    }

    // MARK: Redirects, connections, cookies

    @Test("redirects are followed as often as allowed, and 0 makes one the response")
    func redirects() async throws {
        for step in 0..<3 { server.setBehaviour(.redirect(to: server.url("/r\(step + 1)")), for: "/r\(step)") }
        server.serve(.bytes(Array("end".utf8)), at: "/r3")
        var request = HTTPRequest(server.url("/r0"))
        let response = try await transport.send(request)
        #expect(response.head.redirects == 3)
        #expect(response.head.url == server.url("/r3"))
        request.maximumRedirects = 2
        #expect(await failure { try await transport.send(request) }?.kind == .refused)
        request.maximumRedirects = 0
        let first = try await transport.send(request)
        #expect(first.status == 302)
        #expect(first.headers["Location"] == server.url("/r1"))
    }

    @Test("what a 303 leads to is fetched", arguments: ["DELETE", "POST", "OPTIONS"])
    func seeOther(method: String) async throws {
        server.setBehaviour(.redirect(to: server.url("/small"), status: 303), for: "/r")
        let response = try await transport.send(HTTPRequest(server.url("/r"), method: method))
        #expect(response.body == Data("hello".utf8))
        #expect(server.requests.map(\.method) == [method, "GET"])
    }

    @Test("the head of a response is that of the last one, also when a server does not want to be asked first")
    func expectation() async throws {
        server.setBehaviours([.answer(417, body: "no"), .answer(201, body: "yes")], for: "/small", method: "POST")
        let request = HTTPRequest(server.url("/small"), method: "POST", body: .bytes(content))
        let response = try await transport.send(request)
        #expect(response.status == 201 || server.requests.count == 1)
    }

    @Test("secrets do not follow a redirect to another origin")
    func secrets() async throws {
        let other = try LocalHTTPServer()
        try other.start()
        other.serve(.bytes([1]), at: "/target")
        server.setBehaviour(.redirect(to: other.url("/target")), for: "/r")
        var request = HTTPRequest(server.url("/r"), headers: ["X-Api-Key": "hush", "X-Plain": "1"])
        request.authentication = .bearer(token: "hush")
        #expect(try await transport.send(request).status == 200)
        #expect(server.requests[0].header("authorization") == "Bearer hush")
        #expect(other.requests[0].header("authorization") == nil)
        #expect(other.requests[0].header("x-api-key") == nil)
        #expect(other.requests[0].header("x-plain") == "1")
    }

    @Test("requests after each other share a connection")
    func reuse() async throws {
        for _ in 0..<20 { _ = try await transport.send(HTTPRequest(server.url("/small"))) }
        #expect(Set(server.requests.map(\.connection)).count == 1)
    }

    @Test("no more requests are under way than allowed, and all of them are done")
    func queue() async throws {
        let transport = Self.transport { $0.maximumRequestsPerHost = 3 }
        server.setBehaviour(.holdAfter(bytes: 1), for: "/small")
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<10 {
                group.addTask { try await transport.send(HTTPRequest(server.url("/small"))).body.count }
            }
            await server.wait { $0.count == 3 }
            server.release("/small")
            for try await count in group { #expect(count == 5) }
        }
        #expect(server.requests.count == 10)
        #expect(Set(server.requests.map(\.connection)).count <= 3)
    }

    @Test("cookies are not kept, unless asked for", arguments: [false, true])
    func cookies(areKept: Bool) async throws {
        let transport = Self.transport { $0.keepsCookies = areKept }
        server.setBehaviour(.headers([HeaderField("Set-Cookie", "a=1; Path=/")]), for: "/small")
        for _ in 0..<2 { _ = try await transport.send(HTTPRequest(server.url("/small"))) }
        #expect(server.requests.map { $0.header("cookie") } == [nil, areKept ? "a=1" : nil])
    }

    // MARK: Ends

    @Test("a request that is cancelled ends at once, wherever it is", arguments: [-1, 0, 100] as [Int64])
    func cancelled(bytes: Int64) async throws {
        server.setBehaviour(bytes < 0 ? .silence : .holdAfter(bytes: bytes), for: "/file")
        let task = Task { try await transport.send(HTTPRequest(server.url("/file"))) }
        await server.wait { !$0.isEmpty }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("a task that was cancelled before sends nothing")
    func cancelledBefore() async throws {
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await transport.send(HTTPRequest(server.url("/small")))
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(server.requests.isEmpty)
    }

    @Test("a server that says nothing is given up after the request's time, one that is slow after the resource's")
    func timeouts() async throws {
        server.setBehaviour(.silence, for: "/small")
        var request = HTTPRequest(server.url("/small"))
        request.timeouts.request = .milliseconds(200)
        let silent = try #require(await failure { try await transport.send(request) })
        #expect(silent.kind == .timeout)
        #expect(silent.isRetryable)
        #expect(silent.message.contains("200 ms"), "\(silent)")
        server.setBehaviour(.trickle(bytesPerSecond: 100), for: "/file")
        request.url = server.url("/file")
        request.timeouts = HTTPTimeouts(resource: .milliseconds(300))
        let slow = try #require(await failure { try await transport.send(request) })
        #expect(slow.kind == .timeout)
        #expect(slow.message.contains("300 ms"), "\(slow)")
    }

    @Test("a stream keeps its transport")
    func keptTransport() async throws {
        server.setBehaviour(.holdAfter(bytes: 1), for: "/file")
        var transport: HTTPTransport? = Self.transport()
        let stream = try await transport?.stream(HTTPRequest(server.url("/file")))
        transport = nil
        server.release("/file")
        var count = 0
        for try await piece in try #require(stream).body { count += piece.count }
        #expect(count == 3_000_000)
    }

    @Test("progress ends with all bytes")
    func progress() async throws {
        let reports = Recorder<HTTPProgress>()
        let request = HTTPRequest(server.url("/in"), method: "POST", body: .bytes(content))
        _ = try await transport.send(request) { reports.add($0) }
        let last = try #require(reports.values.last)
        #expect(last.sent == 3_000_000)
        #expect(last.toSend == 3_000_000)
        _ = try await transport.send(HTTPRequest(server.url("/file"))) { reports.add($0) }
        #expect(reports.values.last?.received == 3_000_000)
        #expect(reports.values.last?.toReceive == 3_000_000)
    }

    // MARK: Refusals

    @Test(
        "what cannot be sent is refused with words, before anything is dialed",
        arguments: [
            ("ftp://example.com", "http://"), ("http://", "no host"), ("http://a b/", "characters"), ("", "http://"),
            ("http:///x", "no host"),
        ])
    func invalidURLs(url: String, word: String) async throws {
        let error = try #require(await failure { try await transport.send(HTTPRequest(url)) })
        #expect(error.kind == .invalid)
        #expect(error.message.contains(word), "\(error)")
    }

    @Test("methods, headers and bodies that would break a request are refused")
    func invalidParts() async throws {
        let url = server.url("/small")
        var timeless = HTTPRequest(url)
        timeless.timeouts.connect = .zero
        for request in [
            HTTPRequest(url, method: "GE T"), HTTPRequest(url, method: "CONNECT"),
            HTTPRequest(url, headers: ["A": "b\r\nC: d"]), HTTPRequest(url, headers: ["A b": "c"]),
            HTTPRequest(url, headers: ["Content-Length": "5"]), HTTPRequest(url, body: .bytes(Data([1]))), timeless,
        ] {
            #expect(await failure { try await transport.send(request) }?.kind == .invalid)
        }
        #expect(server.requests.isEmpty)
    }

    @Test("by default nothing but the public internet is dialed, by its address or by a redirect")
    func policy() async throws {
        let guarded = HTTPTransport()
        let error = try #require(await failure { try await guarded.send(HTTPRequest(server.url("/small"))) })
        #expect(error.kind == .refused)
        #expect(!error.isRetryable)
        #expect(server.requests.isEmpty)
    }
}

extension Behaviour {
    fileprivate static func with(_ change: (inout Behaviour) -> Void) -> Behaviour {
        var behaviour = Behaviour.headers([])
        change(&behaviour)
        return behaviour
    }

    fileprivate func closed(afterBytes bytes: Int64) -> Behaviour {
        var behaviour = self
        behaviour.closesAfter = bytes
        return behaviour
    }
}
