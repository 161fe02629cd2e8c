import BackgroundWorkHTTP
import BackgroundWorkModel
import BackgroundWorkSystem
import BackgroundWorkTesting
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

/// What URL sessions do otherwise, and what those of Foundation on Linux cannot: they keep the connections of tasks that were
/// cancelled, and send no body again after a password.
@Suite("HTTP requests in process, by libcurl")
struct CurlTransportTests {
    let server: LocalHTTPServer
    let transport = HTTPTransportTests.transport()

    init() throws {
        server = try LocalHTTPServer()
        try server.start()
        server.acceptUploads(at: "/in")
        server.serve(.generated(bytes: 1_000_000), at: "/held")
    }

    // Here, since Foundation's sessions on Linux neither send a body again nor end after a wrong password.
    @Test("basic and digest are answered with the body", arguments: [true, false])
    func authentication(isDigest: Bool) async throws {
        let folder = try TemporaryFolder()
        let content = Data(count: 3_000_000)
        try content.write(to: URL(filePath: folder.path + "/body"))
        server.require(
            isDigest ? .digest(user: "u", password: "p") : .basic(user: "u", password: "p"), for: "/in")
        for body in [HTTPBody.bytes(content), .file(path: folder.path + "/body")] {
            var request = HTTPRequest(server.url("/in"), method: "POST", body: body)
            request.authentication = isDigest ? .digest(user: "u", password: "p") : .basic(user: "u", password: "p")
            #expect(try await transport.send(request).head.isSuccess)
            #expect(server.uploads(at: "/in").last?.byteCount == 3_000_000)
            request.authentication = .basic(user: "u", password: "wrong")
            #expect(try await transport.send(request).status == 401)
        }
    }

    @Test("a stream that was begun cannot be sent again, which is said")
    func streamAgain() async throws {
        server.setBehaviour(.redirect(to: server.url("/in"), status: 307), for: "/r")
        let stream = AsyncThrowingStream<Data, any Error> { continuation in
            for _ in 0..<50 { continuation.yield(Data(count: 100_000)) }
            continuation.finish()
        }
        let request = HTTPRequest(server.url("/r"), method: "POST", body: .stream(length: nil, stream))
        do {
            let answer = try await transport.send(request)
            Issue.record("answered \(answer.status)")
        } catch let error as HTTPError {
            #expect(error.message.contains("a stream is read once"), "\(error)")
        }
    }

    @Test("a stream has its head before the body has arrived, and takes no more than somebody reads")
    func stream() async throws {
        let size: Int64 = 40_000_000
        server.serve(.generated(bytes: size), at: "/large")
        server.setBehaviour(.holdAfter(bytes: 10), for: "/large")
        let response = try await transport.stream(HTTPRequest(server.url("/large")))
        #expect(response.head.contentLength == size)
        let iterator = response.body.makeAsyncIterator()
        var received = Int64(try await iterator.next()?.count ?? 0)
        #expect(received == 10)
        server.release("/large")
        // Nothing is read: what the server can send is what fits into buffers, of the sockets for the most part.
        let sent = server.requests[0].bodyBytes
        #expect(sent < size / 2)
        while let piece = try await iterator.next() {
            #expect(!piece.isEmpty && piece.count < 2 << 20)
            received += Int64(piece.count)
        }
        #expect(received == size)
    }

    @Test("a request that is cancelled ends its connection", arguments: [-1, 0, 100] as [Int64])
    func cancelledConnection(bytes: Int64) async throws {
        server.setBehaviour(bytes < 0 ? .silence : .holdAfter(bytes: bytes), for: "/held")
        let task = Task { try await transport.send(HTTPRequest(server.url("/held"))) }
        await server.wait { !$0.isEmpty }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        // Its connection ends, too.
        await server.wait { $0[0].isOver }
    }

    @Test("who asks for a coding gets what the server sends")
    func rawCoding() async throws {
        server.serve(.bytes(Array(repeating: 7, count: 100_000)), at: "/file")
        server.setBehaviour(.compressed, for: "/file")
        let raw = try await transport.send(HTTPRequest(server.url("/file"), headers: ["Accept-Encoding": "gzip"]))
        #expect(raw.headers["Content-Encoding"] == "gzip")
        #expect(raw.body.prefix(2) == Data([0x1f, 0x8b]))
    }

    @Test("the rate of a transport holds for all of its requests together")
    func rate() async throws {
        server.serve(.bytes(Array(repeating: 0, count: 200_000)), at: "/file")
        let transport = HTTPTransportTests.transport { $0.bytesPerSecond = 1_000_000 }
        let clock = ContinuousClock()
        let begin = clock.now
        async let one = transport.send(HTTPRequest(server.url("/file")))
        async let two = transport.send(HTTPRequest(server.url("/file")))
        let counts = try await [one.body.count, two.body.count]
        #expect(counts == [200_000, 200_000])
        // Never faster than the limit; how much slower is the machine's affair.
        #expect(begin.duration(to: clock.now) > .milliseconds(300))
    }

    @Test(
        "only the statuses that are redirects are followed", arguments: [300, 301, 302, 303, 304, 305, 306, 307, 308])
    func redirects(status: Int) async throws {
        server.serve(.bytes(Array("there".utf8)), at: "/there")
        server.setBehaviour(.redirect(to: server.url("/there"), status: status), for: "/r")
        let response = try await transport.send(HTTPRequest(server.url("/r")))
        if [301, 302, 303, 307, 308].contains(status) {
            #expect(response.status == 200)
            #expect(response.body == Data("there".utf8))
        } else {
            #expect(response.status == status)
            #expect(server.requests.map(\.path) == ["/r"])
        }
    }

    @Test("a short body is sent without being announced", arguments: ["POST", "PUT", "PATCH", "DELETE"])
    func expectation(method: String) async throws {
        server.setBehaviours([.answer(200, body: "a"), .answer(200, body: "b")], for: "/small")
        for (bytes, isAnnounced) in [(5, false), (2 << 20, true)] {
            let request = HTTPRequest(server.url("/small"), method: method, body: .bytes(Data(count: bytes)))
            #expect(try await transport.send(request).status == 200)
            #expect(server.requests.last?.header("expect") == (isAnnounced ? "100-continue" : nil))
        }
    }

    @Test("a pipe for a certificate is refused, and keeps no other request", .timeLimit(.minutes(5)))
    func pipe() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        server.serve(.bytes(Array("here".utf8)), at: "/file")
        for change: @Sendable (inout TLSOptions) -> Void in [
            { $0.additionalAuthoritiesPath = path }, { $0.clientCertificatePath = path },
            {
                $0.clientCertificatePath = "/etc/hostname"
                $0.clientKeyPath = path
            },
        ] {
            var request = HTTPRequest("https://127.0.0.1:\(server.port)/file")
            change(&request.tls)
            do {
                let answer = try await transport.send(request)
                Issue.record("answered \(answer.status)")
            } catch let error as HTTPError {
                #expect(error.message.contains("a named pipe"), "\(error)")
                #expect(!error.isRetryable)
            }
        }
        #expect(try await transport.send(HTTPRequest(server.url("/file"))).status == 200)
    }

    @Test("a download that is under way has no file yet, so a process that dies leaves none")
    func unnamed() async throws {
        let folder = try TemporaryFolder()
        server.setBehaviour(.holdAfter(bytes: 900_000), for: "/held")
        let request = HTTPRequest(server.url("/held"))
        let download = Task { [transport] in try await transport.download(request, to: folder.path + "/file") }
        // As the system shows a file without a name.
        let isWritten = try await comesTrue {
            let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            return descriptors.contains { descriptor in
                let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + descriptor)
                return file?.hasPrefix(folder.path + "/#") ?? false
            }
        }
        #expect(isWritten)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        server.release("/held")
        #expect(try await download.value.status == 200)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
    }
}
