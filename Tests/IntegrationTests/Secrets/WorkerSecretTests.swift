import BackgroundWork
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// The secrets of the workers that send requests themselves: told by nothing, and on no disk once the work has ended.
@Suite(.serialized, .fewAtATime)
struct WorkerSecretTests {
    enum Kind: CaseIterable { case request, sync, upload, uploads }

    private func options(_ place: Workplace) -> HTTPWorkerOptions {
        var transfer = TransferOptions()
        SecretOptions.fill(&transfer, readableFile: place.sourcePath)
        var options = HTTPWorkerOptions()
        options.headers = transfer.headers
        options.authentication = transfer.authentication
        options.tokenRefresh = transfer.tokenRefresh
        options.tls = transfer.tls
        options.signing = RequestSigning(key: "\(SecretOptions.word)-signing-key", headerName: "X-Code")
        return options
    }

    private func request(_ kind: Kind, _ place: Workplace) throws -> TaskRequest {
        let url = SecretOptions.sign(place.server.url("/upload"))
        let fields = ["x-amz-signature": "\(SecretOptions.word)-field"]
        var request =
            switch kind {
            case .request:
                {
                    var input = HttpRequestWorker.Input(url: url, method: "POST", body: "hello")
                    input.options = options(place)
                    input.keepsResponseBody = true
                    return TaskRequest(HttpRequestWorker.self, input: input)
                }()
            case .sync:
                try {
                    var input = HttpSyncWorker.Input(url: url)
                    try input.setBody(["password": "\(SecretOptions.word)-in-body"])
                    input.options = options(place)
                    input.keepsResponseBody = true
                    return TaskRequest(HttpSyncWorker.self, input: input)
                }()
            case .upload:
                {
                    var input = HttpUploadWorker.Input(url: url, filePath: place.sourcePath, fields: fields)
                    input.options = options(place)
                    return TaskRequest(HttpUploadWorker.self, input: input)
                }()
            case .uploads:
                {
                    var input = ParallelHttpUploadWorker.Input(
                        url: url, files: [.init(filePath: place.sourcePath)], fields: fields)
                    input.options = options(place)
                    return TaskRequest(ParallelHttpUploadWorker.self, input: input)
                }()
            }
        request.retryPolicy = .never
        return request
    }

    @Test("a server that repeats them makes nothing tell them", arguments: Kind.allCases, [200, 403, 503])
    func echoed(kind: Kind, status: Int) async throws {
        let place = try Workplace(acceptingUploadsAt: "/upload")
        try place.makeSource(bytes: 5000)
        let word = SecretOptions.word
        place.server.setBehaviour(
            .with { behaviour in
                behaviour.holdsUploadAfter = 3
                behaviour.status = status
                behaviour.statusLine = "HTTP/1.1 \(status) not \(word)-api-key"
                var echo = "\(word)-api-key \(word)-signing-key \(SecretOptions.encoded)"
                if kind == .upload || kind == .uploads { echo += " \(word)-field" }
                behaviour.body = Array(echo.utf8)
                behaviour.headers = [
                    HeaderField("Location", "http://127.0.0.1/next?sig=\(word)-location"),
                    HeaderField("X-Request-Id", "for-\(word)-cookie-0123456789"),
                ]
            }, for: "/upload")
        let notices = Recorder<String>()
        let scheduler = try place.scheduler { $0.noticeHandler = { notices.add("\($0)") } }
        let stream = scheduler.eventBus.events
        try await scheduler.start()
        let answer = try await scheduler.enqueue(try request(kind, place), id: "a")
        guard case .accepted = answer else {
            Issue.record("\(answer)")
            return
        }
        try await place.wait(for: "the request") { place.server.requests.contains { $0.receivedBytes >= 3 } }
        // The work needs them; a search that finds nothing now would prove nothing later.
        let found = try await place.files(containing: word)
        #expect(found.contains { $0.contains("/work.sqlite") }, "\(found)")
        let during = try await place.words(of: scheduler, id: "a")
        #expect(!during.contains(word), "\(during)")
        place.server.release("/upload")
        var iterator = stream.makeAsyncIterator()
        let event = try #require(await iterator.next())
        #expect(event.outcome == (status == 200 ? .succeeded : .failed), "\(event.message ?? "")")
        try await place.waitUntilNoFileHasSecrets()
        let after = try await place.words(of: scheduler, id: "a") + "\(event)\(notices.values)"
        #expect(!after.contains(word) && !after.contains(SecretOptions.encoded), "\(after)")
        if status != 200 { #expect(event.message?.contains(place.server.url("/upload")) == true) }
        await scheduler.shutdown()
    }
}
