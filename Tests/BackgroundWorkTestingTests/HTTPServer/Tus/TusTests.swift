import BackgroundWorkTesting
import Foundation
import Testing

/// The tus protocol, version 1.0.
struct TusTests {
    static let content = Array((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 3) })
    let server: LocalHTTPServer

    init() throws {
        server = try LocalHTTPServer()
        server.acceptTus(at: "/files", maximumBytes: 1_000_000)
        try server.start()
    }

    private func tus(
        _ method: String, _ url: String, _ headers: [String: String] = [:], body: [UInt8]? = nil
    ) async throws -> HTTPClient.Answer {
        let version = ["Tus-Resumable": "1.0.0"]
        return try await HTTPClient.answer(
            url, method: method, headers: version.merging(headers) { $1 }, body: body)
    }

    private func create(_ headers: [String: String] = [:]) async throws -> String {
        let length = ["Upload-Length": "200000"]
        let answer = try await tus("POST", server.url("/files"), length.merging(headers) { $1 })
        #expect(answer.status == 201)
        return try #require(answer.header("Location"))
    }

    private func patch(_ url: String, from offset: Int, _ bytes: some Sequence<UInt8>) async throws -> HTTPClient.Answer
    {
        return try await tus(
            "PATCH", url,
            ["Upload-Offset": "\(offset)", "Content-Type": "application/offset+octet-stream"], body: Array(bytes))
    }

    @Test("the server's capabilities are given without a version")
    func options() async throws {
        let answer = try await HTTPClient.answer(server.url("/files"), method: "OPTIONS")
        #expect(answer.status == 204)
        #expect(answer.header("Tus-Version") == "1.0.0")
        #expect(answer.header("Tus-Extension") == "creation,termination")
        #expect(answer.header("Tus-Max-Size") == "1000000")
    }

    @Test("an upload is created with its metadata, and added to until it is whole")
    func upload() async throws {
        let metadata = "name \(Data("a b.bin".utf8).base64EncodedString()),is_confidential"
        let url = try await create(["Upload-Metadata": metadata])
        #expect(url == server.url("/files/1"))
        let first = try await patch(url, from: 0, Self.content[..<120_000])
        #expect(first.status == 204)
        #expect(first.header("Upload-Offset") == "120000")
        let state = try await tus("HEAD", url)
        #expect(state.status == 200)
        #expect(state.header("Upload-Offset") == "120000")
        #expect(state.header("Upload-Length") == "200000")
        #expect(state.header("Upload-Metadata") == metadata)
        #expect(state.header("Cache-Control") == "no-store")
        #expect(server.tusUploads(at: "/files").map(\.isComplete) == [false])
        #expect(try await patch(url, from: 120_000, Self.content[120_000...]).status == 204)
        let upload = try #require(server.tusUploads(at: "/files").first)
        #expect(upload.isComplete)
        #expect(upload.bytes == Self.content)
        #expect(upload.metadata == ["name": "a b.bin", "is_confidential": ""])
        #expect(upload.path == "/files/1")
    }

    @Test("what breaks the protocol's rules is rejected by its status")
    func refusals() async throws {
        let without = try await HTTPClient.answer(
            server.url("/files"), method: "POST", headers: ["Upload-Length": "1"])
        #expect(without.status == 412)
        #expect(without.header("Tus-Version") == "1.0.0")
        #expect(try await tus("POST", server.url("/files")).status == 400)
        #expect(try await tus("POST", server.url("/files"), ["Upload-Length": "1000001"]).status == 413)
        #expect(
            try await tus("POST", server.url("/files"), ["Upload-Length": "1", "Upload-Metadata": "a ?"])
                .status == 400)
        #expect(server.tusUploads(at: "/files").isEmpty)
        #expect(try await tus("HEAD", server.url("/files/1")).status == 404)
        let url = try await create()
        #expect(try await patch(url, from: 5, Self.content[..<5]).status == 409)
        #expect(try await patch(url, from: 0, Self.content + [1]).status == 413)
        let type = ["Upload-Offset": "0", "Content-Type": "text/plain"]
        #expect(try await tus("PATCH", url, type, body: Array("x".utf8)).status == 415)
        #expect(try await tus("GET", url).status == 405)
        #expect(server.tusUploads(at: "/files").map(\.bytes) == [[]])
    }

    @Test("a connection that drops in the midst of a PATCH leaves what arrived, and the rest can follow")
    func dropped() async throws {
        let url = try await create()
        server.setBehaviours(
            [.closeUpload(after: 70_000), .resetUpload(after: 10_000), .correct], for: "/files", method: "PATCH")
        await #expect(throws: URLError.self) { try await patch(url, from: 0, Self.content) }
        #expect(try await tus("HEAD", url).header("Upload-Offset") == "70000")
        await #expect(throws: URLError.self) { try await patch(url, from: 70_000, Self.content[70_000...]) }
        #expect(try await tus("HEAD", url).header("Upload-Offset") == "80000")
        #expect(try await patch(url, from: 80_000, Self.content[80_000...]).status == 204)
        #expect(server.tusUploads(at: "/files").map(\.bytes) == [Self.content])
    }

    @Test("a PATCH whose answer gets lost has added its bytes; one that is answered 500 has not")
    func lostAnswer() async throws {
        let url = try await create()
        server.setBehaviours([.status(500), .loseAnswer, .correct], for: "/files/1", method: "PATCH")
        #expect(try await patch(url, from: 0, Self.content).status == 500)
        #expect(try await tus("HEAD", url).header("Upload-Offset") == "0")
        await #expect(throws: URLError.self) { try await patch(url, from: 0, Self.content) }
        #expect(try await tus("HEAD", url).header("Upload-Offset") == "200000")
    }

    @Test("a PATCH that is overtaken by another adds nothing more")
    func overtaken() async throws {
        let url = try await create()
        server.setBehaviours([.holdUpload(after: 1000), .correct], for: "/files", method: "PATCH")
        async let slow = patch(url, from: 0, Self.content)
        await server.wait { $0.last?.receivedBytes == 1000 }
        let fast = try await patch(url, from: 1000, Self.content[1000...])
        #expect(fast.status == 204)
        server.release("/files/1")
        #expect(try await slow.status == 409)
        #expect(server.tusUploads(at: "/files").map(\.bytes) == [Self.content])
    }

    @Test("an upload expires, with either status, or is deleted by the client", arguments: [404, 410])
    func gone(status: Int) async throws {
        let url = try await create()
        server.expireTusUpload(at: "/files/1", status: status)
        #expect(try await tus("HEAD", url).status == status)
        #expect(try await patch(url, from: 0, Self.content).status == status)
        let next = try await create()
        #expect(try await tus("DELETE", next).status == 204)
        #expect(try await tus("HEAD", next).status == 404)
        #expect(server.tusUploads(at: "/files").map(\.goneStatus) == [status, 404])
    }

    @Test("a method can be overridden, and credentials hold for the uploads as well")
    func overrideAndCredentials() async throws {
        let url = try await create()
        let answer = try await tus("POST", url, ["X-HTTP-Method-Override": "DELETE"])
        #expect(answer.status == 204)
        server.require(.bearer(tokens: ["t"]), for: "/files")
        #expect(try await tus("HEAD", url).status == 401)
        #expect(try await tus("HEAD", url, ["Authorization": "Bearer t"]).status == 404)
    }
}
