import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// Many connections and many requests, and what the log says of them.
@Suite(.serialized)
struct ManyConnectionsTests {
    let server: LocalHTTPServer

    init() throws {
        server = try LocalHTTPServer()
        server.serve(.bytes("content".utf8), at: "/file")
        try server.start()
    }

    // Exit tests start a program.
    #if BACKGROUNDWORK_HAS_SUBPROCESSES
    /// In a process of its own, for its descriptors.
    @Test("a thousand connections are held open at once, and all are served in the end")
    func connections() async throws {
        await #expect(processExitsWith: .success) {
            // Both ends of each connection are in this process, and many systems allow 1,024 descriptors at first.
            DescriptorLimit.raise()
            let server = try LocalHTTPServer()
            server.serve(.bytes("content".utf8), at: "/file")
            try server.start()
            server.setBehaviour(.holdAfter(bytes: 3), for: "/file")
            let port = server.port
            let clients = try await Curl.onThread {
                try (0..<1000).map { _ in
                    let client = try RawClient(port: port)
                    try client.send("GET /file HTTP/1.1\r\nConnection: close\r\n\r\n")
                    return client
                }
            }
            await server.wait { requests in requests.count == 1000 && requests.allSatisfy { $0.bodyBytes == 3 } }
            try #require(server.openConnections == 1000)
            server.release("/file")
            let bodies = try await Curl.onThread {
                clients.map { String(decoding: $0.receiveAll().bytes.suffix(7), as: UTF8.self) }
            }
            try #require(bodies.allSatisfy { $0 == "content" })
            try #require(Set(server.requests.map(\.connection)) == Set(1...1000))
        }
    }
    #endif

    @Test("ten thousand small requests over kept connections, while somebody waits for the last")
    func requests() async throws {
        let server = server
        let port = server.port
        async let all: Void = server.wait { $0.count { $0.isOver } == 10_000 }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    try await Curl.onThread {
                        let client = try RawClient(port: port)
                        return try (0..<1000).count { _ in
                            try client.send("GET /file HTTP/1.1\r\nHost: a\r\n\r\n")
                            return client.receive(until: "content").starts(with: "HTTP/1.1 200".utf8)
                        }
                    }
                }
            }
            for try await answered in group { #expect(answered == 1000) }
        }
        await all
        let requests = server.requests
        #expect(requests.allSatisfy { $0.isComplete && $0.status == 200 && $0.bodyBytes == 7 })
        #expect(requests.map(\.ordinal) == Array(1...10_000))
        #expect(
            Dictionary(grouping: requests, by: \.connection).mapValues(\.count).sorted { $0.key < $1.key }
                .map(\.value) == Array(repeating: 1000, count: 10))
    }

    @Test("clients that leave do not leave their threads and descriptors behind")
    func leavingClients() async throws {
        server.setBehaviour(.holdAfter(bytes: 3), for: "/file")
        let port = server.port
        try await Curl.onThread {
            for _ in 0..<50 { try RawClient(port: port).send("GET /file HTTP/1.1\r\n\r\n") }
        }
        await server.wait { requests in requests.count == 50 && requests.allSatisfy { $0.isOver } }
        #expect(server.requests.allSatisfy { !$0.isComplete })
    }

    // With curl, which is a program.
    #if BACKGROUNDWORK_HAS_SUBPROCESSES
    @Test("a connection that is closed after an answer without a word is a new one the next time")
    func staleConnection() async throws {
        server.setBehaviours([.closeAfterAnswer, .correct], for: "/file")
        let (exit, body) = try await Curl.run([server.url("/file"), server.url("/file"), server.url("/file")])
        #expect(exit == 0)
        #expect(body == Array("contentcontentcontent".utf8))
        #expect(server.requests.map(\.connection) == [1, 2, 2])
    }
    #endif

    @Test("requests can be sent ahead of the answers, and end with the one that wants it")
    func pipelining() async throws {
        let port = server.port
        let bytes = try await Curl.onThread {
            let client = try RawClient(port: port)
            let request = "GET /file HTTP/1.1\r\n\r\n"
            try client.send(request + request + "GET /file HTTP/1.1\r\nConnection: close\r\n\r\n")
            return client.receiveAll().bytes
        }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.components(separatedBy: "HTTP/1.1 200").count == 4)
        #expect(text.components(separatedBy: "Connection: close").count == 2)
    }
}
