import BackgroundWorkHTTP
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

@Suite("HTTP requests in process, by a URL session")
struct SessionTransportTests {
    private static let content = Data((0..<10_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })

    private let server: LocalHTTPServer
    private let transport = HTTPTransportTests.transport()

    init() throws {
        server = try LocalHTTPServer()
        try server.start()
        server.serve(.bytes(Array(Self.content)), at: "/file")
    }

    @Test("what arrives before it is read waits, and is read once and in its order")
    func backlog() async throws {
        let response = try await transport.stream(HTTPRequest(server.url("/file")))
        await server.wait { $0.first?.isComplete == true }
        var received = Data()
        for try await piece in response.body { received += piece }
        #expect(received == Self.content)
    }

    @Test("a stream that nobody reads to its end gives its place to the next request")
    func abandoned() async throws {
        let transport = HTTPTransportTests.transport { $0.maximumRequestsPerHost = 1 }
        do {
            let response = try await transport.stream(HTTPRequest(server.url("/file")))
            await server.wait { $0.first?.isComplete == true }
            let iterator = response.body.makeAsyncIterator()
            #expect(try await iterator.next() != nil)
        }
        #expect(try await transport.send(HTTPRequest(server.url("/file"))).body == Self.content)
    }
}
