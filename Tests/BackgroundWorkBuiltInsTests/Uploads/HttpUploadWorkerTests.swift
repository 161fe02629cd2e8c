import BackgroundWork
import BackgroundWorkSystem
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkBuiltIns

struct HttpUploadWorkerTests {
    let place: WorkerPlace
    var server: LocalHTTPServer { place.server }

    init() throws { place = try WorkerPlace() }

    func input(bytes: Int = 100_000) throws -> HttpUploadWorker.Input {
        HttpUploadWorker.Input(url: server.url("/in"), filePath: try place.file(bytes: bytes))
    }

    @Test(
        "fields and file arrive as parts of a form, and the output tells of the response", arguments: [0, 1, 700_001])
    func form(bytes: Int) async throws {
        var input = try input(bytes: bytes)
        input.fields = ["album": "sum\"mer", "b": "ä\r\n"]
        input.fileFieldName = "photo \"1\""
        input.mimeType = "image/jpeg; a=b"
        let output = try await place.output(HttpUploadWorker.self, input)
        #expect(output.filePath == input.filePath)
        #expect(output.bytes == Int64(bytes))
        #expect(output.statusCode == 200)
        #expect(output.url == server.url("/in"))
        #expect(output.headers?["content-length"] != nil)
        #expect(output.responseBody != nil)
        let upload = try #require(server.uploads(at: "/in").first)
        #expect(upload.method == "POST")
        #expect(upload.headers["content-length"] == "\(upload.byteCount)")
        let parts = try upload.formParts()
        #expect(parts.count == 3)
        #expect(parts[0].text == "sum\"mer" && parts[1].text == "ä\r\n")
        #expect(parts[2].filename == "photo.jpg")
        #expect(parts[2].contentType == "image/jpeg; a=b")
        #expect(parts[2].bytes == WorkerPlace.content(bytes))
    }

    @Test("a file name and a Content-Type of its own; the form's type is the request's whatever the headers say")
    func names() async throws {
        var input = try input()
        input.fileName = "other.png"
        input.options.headers = ["content-type": "text/plain", "X-A": "b"]
        #expect(try await place.run(HttpUploadWorker.self, input).isSuccess)
        let upload = try #require(server.uploads(at: "/in").first)
        #expect(upload.headers["x-a"] == "b")
        #expect(try upload.formParts().first?.filename == "other.png")
        #expect(try upload.formParts().first?.contentType == "application/octet-stream")
    }

    @Test("what is not a readable regular file is a failure, and no server is asked")
    func noFile() async throws {
        var input = try input()
        let fifo = place.folder.path + "/fifo"
        mkfifo(fifo, 0o600)
        for path in [place.folder.path + "/missing", place.folder.path, fifo] {
            input.filePath = path
            let message = try await place.run(HttpUploadWorker.self, input).failureMessage
            #expect(message?.contains(path) == true, "\(message ?? "")")
            let isMissing = path.hasSuffix("missing")
            #expect(
                message?.contains("Cannot send \(path): it is not a regular file") == !isMissing, "\(message ?? "")")
        }
        #expect(server.requests.isEmpty)
    }

    @Test("a link out of the allowed folders is refused, one within them is followed")
    func links() async throws {
        let inside = place.folder.path + "/inside"
        try FileManager.default.createDirectory(atPath: inside, withIntermediateDirectories: true)
        let outside = try place.file()
        try Data([1, 2]).write(to: URL(filePath: inside + "/file"))
        symlink(outside, inside + "/out")
        symlink(inside + "/file", inside + "/in")
        var policy = SecurityPolicy.unrestricted
        policy.allowedDirectories = [inside]
        var input = HttpUploadWorker.Input(url: server.url("/in"), filePath: inside + "/out")
        let message = try await place.run(HttpUploadWorker.self, input, under: policy).failureMessage
        #expect(message?.contains("allowedDirectories") == true, "\(message ?? "")")
        #expect(server.requests.isEmpty)
        input.filePath = inside + "/in"
        #expect(try await place.run(HttpUploadWorker.self, input, under: policy).isSuccess)
        #expect(try server.uploads(at: "/in").first?.formParts().first?.bytes == [1, 2])
    }

    @Test("a refusal in the middle of the body is its status; a lost connection is retried")
    func refused() async throws {
        let input = try input(bytes: 3_000_000)
        server.setBehaviour(.refuseUpload(after: 1000, status: 413), for: "/in")
        let result = try await place.run(HttpUploadWorker.self, input)
        // The connection may break before the status is read.
        #expect(result.failureMessage?.contains("413") == true || result.retryReason != nil, "\(result)")
        server.setBehaviour(.resetUpload(after: 1000), for: "/in")
        #expect(try await place.run(HttpUploadWorker.self, input).retryReason != nil)
        server.setBehaviour(.status(503, retryAfter: .seconds(3)), for: "/in")
        guard case .retry(_, .seconds(3), _) = try await place.run(HttpUploadWorker.self, input) else {
            Issue.record("no retry")
            return
        }
    }

    @Test("a rejected token is replaced, and the whole form is sent again")
    func token() async throws {
        server.require(.bearer(tokens: ["new"]), for: "/in")
        server.issueTokens(TokenIssuer(tokens: ["new"]), at: "/token")
        var input = try input(bytes: 1_000_000)
        input.options.tokenRefresh = TokenRefresh(url: server.url("/token"), tokenPath: "data.access_token")
        #expect(try await place.run(HttpUploadWorker.self, input).isSuccess)
        #expect(try server.uploads(at: "/in").last?.formParts().first?.bytes == WorkerPlace.content(1_000_000))
    }

    @Test("secrets that a server repeats are in neither output")
    func secrets() async throws {
        server.setBehaviour(
            .with { behaviour in
                behaviour.body = Array("you sent ZqSecret-of-header and ZqSecret-of-field".utf8)
                behaviour.headers = [
                    HeaderField("Location", "http://h/x?sig=ZqSecret-1"),
                    HeaderField("X-Request-Id", "ZqSecret-of-header"),
                ]
            }, for: "/in")
        var input = try input()
        input.url = "\(server.url("/in"))?signature=ZqSecret-of-query-1"
        input.fields = ["token": "ZqSecret-of-field"]
        input.options.headers = ["X-Api-Key": "ZqSecret-of-header"]
        let output = try await place.output(HttpUploadWorker.self, input)
        #expect(!"\(output)".contains("ZqSecret"), "\(output)")
        #expect(output.responseBody == "you sent … and …")
    }

    @Test("a cancelled run returns while the server reads nothing")
    func cancelled() async throws {
        server.setBehaviour(.holdUpload(after: 1000), for: "/in")
        let input = try input(bytes: 5_000_000)
        let task = Task { try await place.run(HttpUploadWorker.self, input) }
        await server.wait { $0.contains { $0.receivedBytes >= 1000 } }
        task.cancel()
        // Nothing releases what is held.
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
