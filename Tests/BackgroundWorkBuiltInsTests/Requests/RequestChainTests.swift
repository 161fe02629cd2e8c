import BackgroundWork
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

@Suite("The workers that send requests as steps of a chain")
struct RequestChainTests {
    struct Reader: Worker {
        let read: Recorder<String>
        func doWork(_ input: NoInput, context: WorkerContext) async throws -> WorkerResult {
            let request = try await context.output(of: HttpRequestWorker.Output.self)
            let sync = try await context.output(of: HttpSyncWorker.Output.self)
            let upload = try await context.output(of: UploadOutput.self)
            let uploads = try await context.output(of: ParallelHttpUploadWorker.Output.self)
            read.add("\(request.responseBody ?? "") \(sync.status) \(upload.bytes) \(uploads.uploadedCount)")
            return .success()
        }
    }

    @Test("each gives its typed output to the steps after it")
    func outputs() async throws {
        let place = try WorkerPlace()
        let read = Recorder<String>()
        let scheduler = try place.scheduler { _, workers in
            try workers.register(Reader.self) { Reader(read: read) }
        }
        try await scheduler.start()
        var request = HttpRequestWorker.Input(url: place.server.url("/small"))
        request.keepsResponseBody = true
        var sync = HttpSyncWorker.Input(url: place.server.url("/in"))
        try sync.setBody(["a": 1])
        let path = try place.file(bytes: 1234)
        let upload = HttpUploadWorker.Input(url: place.server.url("/in"), filePath: path)
        let uploads = ParallelHttpUploadWorker.Input(
            url: place.server.url("/in"), files: [.init(filePath: path), .init(filePath: path)])
        try await scheduler.beginWith(TaskRequest(HttpRequestWorker.self, input: request))
            .then(TaskRequest(HttpSyncWorker.self, input: sync))
            .then(TaskRequest(HttpUploadWorker.self, input: upload))
            .then(TaskRequest(ParallelHttpUploadWorker.self, input: uploads))
            .then(TaskRequest(Reader.self)).enqueue(id: "c")
        await scheduler.waitUntilIdle()
        #expect(read.values == ["hello 200 1234 2"])
        let info = try #require(try await scheduler.info(id: "c/0.0"))
        #expect(info.message == "GET \(place.server.url("/small")): 200")
        await scheduler.shutdown()
    }

    @Test("a parallel upload that is retried by the scheduler sends only what failed")
    func retried() async throws {
        let place = try WorkerPlace()
        place.server.setBehaviours([.correct, .status(503), .correct], for: "/in")
        let scheduler = try place.scheduler()
        try await scheduler.start()
        var input = ParallelHttpUploadWorker.Input(
            url: place.server.url("/in"), files: try (0..<3).map { .init(filePath: try place.file("\($0)")) })
        input.maximumConcurrent = 1
        input.maximumRetries = 0
        try await scheduler.enqueue(
            TaskRequest(
                ParallelHttpUploadWorker.self, input: input,
                retryPolicy: .linear(initialDelay: .milliseconds(1), maximumAttempts: 3, jitter: 0)), id: "u")
        var state = try await scheduler.info(id: "u")?.state
        for await info in scheduler.updates(id: "u") {
            state = info.state
            if info.state.isFinished { break }
        }
        #expect(state == .succeeded)
        #expect(place.server.requests.count == 4)
        let output = try await scheduler.info(id: "u")?.output(as: ParallelHttpUploadWorker.Output.self)
        #expect(output?.fileResults.map(\.attempts) == [1, 2, 1])
        await scheduler.shutdown()
    }

    @Test("cancelled work ends, and its request with it")
    func cancelled() async throws {
        let place = try WorkerPlace()
        place.server.setBehaviour(.silence, for: "/small")
        let scheduler = try place.scheduler()
        try await scheduler.start()
        try await scheduler.enqueue(
            TaskRequest(HttpRequestWorker.self, input: .init(url: place.server.url("/small"))), id: "r")
        await place.server.wait { !$0.isEmpty }
        try await scheduler.cancel(id: "r")
        #expect(try await comesTrue { place.server.openConnections == 0 })
        #expect(try await scheduler.info(id: "r")?.state == .cancelled)
        await scheduler.shutdown()
    }
}
