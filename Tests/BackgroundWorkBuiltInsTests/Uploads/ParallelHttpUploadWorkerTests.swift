import BackgroundWork
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkBuiltIns

struct ParallelHttpUploadWorkerTests {
    let place: WorkerPlace
    private var server: LocalHTTPServer { place.server }

    init() throws { place = try WorkerPlace() }

    private func input(files: Int, bytes: Int = 1000) throws -> ParallelHttpUploadWorker.Input {
        ParallelHttpUploadWorker.Input(
            url: server.url("/in"),
            files: try (0..<files).map {
                .init(filePath: try place.file("file-\($0)", bytes: bytes + $0, seed: $0 + 3))
            })
    }

    /// The names of the files that have arrived whole, in order.
    private func arrived() throws -> [String] {
        try server.uploads(at: "/in").filter(\.isComplete).compactMap { try $0.formParts().last?.filename }.sorted()
    }

    @Test(
        "each file is sent once, with the fields, and the output has them in the input's order", arguments: [1, 3, 16])
    func all(concurrent: Int) async throws {
        var input = try input(files: 20)
        input.maximumConcurrent = concurrent
        input.fields = ["a": "b"]
        let run = WorkerRun()
        let output = try await place.output(ParallelHttpUploadWorker.self, input, services: run)
        #expect(output.uploadedCount == 20)
        #expect(output.failedCount == 0)
        #expect(output.totalBytes == 20 * 1000 + 190)
        #expect(output.fileResults.map(\.filePath) == input.files.map(\.filePath))
        #expect(output.fileResults.allSatisfy { $0.isSuccess && $0.attempts == 1 && $0.statusCode == 200 })
        #expect(output.fileResults.map(\.bytesSent) == (0..<20).map { Int64(1000 + $0) })
        let uploads = server.uploads(at: "/in")
        #expect(uploads.count == 20)
        for upload in uploads {
            let parts = try upload.formParts()
            #expect(parts.first?.text == "b")
            let number = try #require(parts.last?.filename.flatMap { Int($0.dropFirst(5)) })
            #expect(parts.last?.bytes == WorkerPlace.content(1000 + number, number + 3))
        }
        #expect(run.reports.values.last?.fraction == 1)
        #expect(run.reports.values.last?.message == "20 of 20 files")
        #expect(run.checkpoints.values.count == 20)
    }

    @Test("not more than so many files are sent at the same time")
    func concurrency() async throws {
        server.setBehaviour(.holdUpload(after: 100), for: "/in")
        var input = try input(files: 9)
        input.maximumConcurrent = 4
        let task = Task { try await place.run(ParallelHttpUploadWorker.self, input) }
        await server.wait { $0.count { $0.receivedBytes >= 100 } == 4 }
        #expect(server.requests.count == 4)
        server.release("/in")
        #expect(try await task.value.isSuccess)
        #expect(try arrived().count == 9)
    }

    @Test("5xx and network errors are tried again in the same attempt, others are not")
    func retries() async throws {
        var input = try input(files: 1)
        input.maximumRetries = 2
        server.setBehaviours([.resetUpload(after: 10), .status(500), .correct], for: "/in")
        let output = try await place.output(ParallelHttpUploadWorker.self, input)
        #expect(output.fileResults.map(\.attempts) == [3])
        for status in [408, 429] {
            server.setBehaviours([.status(status), .correct], for: "/in")
            let before = server.requests.count
            #expect(
                try await place.run(ParallelHttpUploadWorker.self, input).retryReason?.contains("\(status)") == true)
            #expect(server.requests.count == before + 1)
        }
        input.maximumRetries = 0
        server.setBehaviours([.status(503), .correct], for: "/in")
        #expect(try await place.run(ParallelHttpUploadWorker.self, input).retryReason?.contains("503") == true)
    }

    @Test("a retry of the work sends only what failed, and its output has all files")
    func onlyFailed() async throws {
        var input = try input(files: 6)
        input.maximumConcurrent = 1
        input.maximumRetries = 0
        server.setBehaviours(
            [.resetUpload(after: 5), .correct, .status(503, retryAfter: .seconds(9)), .correct], for: "/in")
        let first = WorkerRun()
        let result = try await place.run(ParallelHttpUploadWorker.self, input, services: first)
        guard case .retry(let reason, .seconds(9), _) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(reason.contains("2 of 6 files were not uploaded"), "\(reason)")
        #expect(reason.contains("file-0: ") && reason.contains("file-2: "), "\(reason)")
        let count = server.requests.count
        let output = try await place.output(
            ParallelHttpUploadWorker.self, input, services: WorkerRun(checkpoint: first.checkpoint))
        #expect(server.requests.count == count + 2)
        #expect(output.uploadedCount == 6)
        #expect(output.fileResults.map(\.attempts) == [2, 1, 2, 1, 1, 1])
    }

    @Test("what a server refuses for good fails the work when nothing else is left, and is not sent again")
    func refused() async throws {
        var input = try input(files: 3)
        input.maximumConcurrent = 1
        input.maximumRetries = 0
        server.setBehaviours([.status(404), .status(503), .correct], for: "/in")
        let first = WorkerRun()
        #expect(try await place.run(ParallelHttpUploadWorker.self, input, services: first).retryReason != nil)
        let count = server.requests.count
        let result = try await place.run(
            ParallelHttpUploadWorker.self, input, services: WorkerRun(checkpoint: first.checkpoint))
        #expect(server.requests.count == count + 1)
        let message = try #require(result.failureMessage)
        #expect(message.contains("1 of 3 files were not uploaded"), "\(message)")
        #expect(message.contains("file-0: POST \(server.url("/in")): the server answered 404"), "\(message)")
    }

    @Test("a file that is missing fails alone, and a message names at most five files")
    func missing() async throws {
        var input = try input(files: 2)
        input.files += (0..<7).map { .init(filePath: place.folder.path + "/missing-\($0)") }
        let message = try #require(try await place.run(ParallelHttpUploadWorker.self, input).failureMessage)
        #expect(message.contains("7 of 9 files"), "\(message)")
        #expect(message.contains("and 2 more."), "\(message)")
        #expect(message.contains("missing-4") && !message.contains("missing-5"), "\(message)")
        #expect(try arrived() == ["file-0", "file-1"])
    }

    @Test("a checkpoint of another input, or none at all, counts for nothing")
    func otherCheckpoint() async throws {
        let input = try input(files: 2)
        let run = WorkerRun()
        #expect(try await place.run(ParallelHttpUploadWorker.self, input, services: run).isSuccess)
        var other = input
        other.files.swapAt(0, 1)
        for (checkpoint, requests) in [(run.checkpoint, 0), ("[1]", 2), (nil, 2)] {
            let before = server.requests.count
            #expect(
                try await place.run(
                    ParallelHttpUploadWorker.self, input, services: WorkerRun(checkpoint: checkpoint)
                ).isSuccess)
            #expect(server.requests.count == before + requests)
        }
        let before = server.requests.count
        let again = WorkerRun(checkpoint: run.checkpoint)
        #expect(try await place.run(ParallelHttpUploadWorker.self, other, services: again).isSuccess)
        #expect(server.requests.count == before + 2)
    }

    @Test("one new token serves all files")
    func token() async throws {
        server.require(.bearer(tokens: ["new"]), for: "/in")
        server.issueTokens(TokenIssuer(tokens: ["new", "other"]), at: "/token")
        var input = try input(files: 10)
        input.maximumConcurrent = 5
        input.options.tokenRefresh = TokenRefresh(url: server.url("/token"), tokenPath: "data.access_token")
        #expect(try await place.run(ParallelHttpUploadWorker.self, input).isSuccess)
        #expect(server.tokenCalls(at: "/token") == 1)
        #expect(try arrived().count == 10)
    }

    @Test("a cancelled run returns while files are held and others wait for their next try")
    func cancelled() async throws {
        server.setBehaviours([.status(503), .holdUpload(after: 10)], for: "/in")
        let input = try input(files: 4)
        let clock = ManualClock()
        let task = Task { try await place.run(ParallelHttpUploadWorker.self, input, clock: clock) }
        await server.wait { $0.count == 3 && $0.count { $0.receivedBytes >= 10 } >= 2 }
        task.cancel()
        // Nothing releases what is held, and nobody moves the clock.
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
