import BackgroundWork
import Foundation

/// What it costs to check inputs when requests are enqueued. The last of each batch is refused, so nothing is stored.
struct ValidationBenchmark {
    private struct Small: Worker {
        struct Input: Codable, Sendable {
            var file: String
            var width: Int
        }
        struct TooWide: Error {}
        static func validate(input: Input) throws { if input.width > 100 { throw TooWide() } }
        func doWork(_ input: Input, context: WorkerContext) async throws -> WorkerResult { .success() }
    }

    private struct Plain: Worker {
        func doWork(_ input: NoInput, context: WorkerContext) async throws -> WorkerResult { .success() }
    }

    private static let batch = 10_000
    private static let rounds = 15

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bgwork-bench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var workers = WorkerRegistry()
        try workers.register(Small.self) { Small() }
        try workers.register(Plain.self) { Plain() }
        try workers.register("Closure") { _, _ in .success() }
        let scheduler = try WorkScheduler(configuration: .init(directory: folder), workers: workers)
        var small = DownloadConfiguration(
            url: "https://example.com/library/item-4711.bin", savePath: "/home/me/item.bin")
        let plainDownload = TaskRequest(BackgroundDownloadWorker.self, input: small)
        small.options.headers = ["Authorization": "Bearer token"]
        small.onDuplicate = .rename
        let requests = [
            ("a closure", TaskRequest(workerClassName: "Closure", inputJSON: #"{"file":"a.png","width":7}"#)),
            ("a worker without input", TaskRequest(Plain.self)),
            ("a worker with two fields", try TaskRequest(Small.self, input: .init(file: "a.png", width: 7))),
            ("a download with URL and path", plainDownload),
            ("a download with other fields", TaskRequest(BackgroundDownloadWorker.self, input: small)),
        ]
        let refused = TaskSubmission(try TaskRequest(Small.self, input: .init(file: "a.png", width: 101)))
        for (name, request) in requests {
            let submissions = Array(repeating: TaskSubmission(request), count: Self.batch) + [refused]
            var times: [Double] = []
            for _ in 0..<Self.rounds {
                times.append(try await milliseconds { try await scheduler.enqueue(contentsOf: submissions) })
            }
            print("\(name): \((times.median * 1000 / Double(Self.batch)).short) µs")
        }
        await scheduler.shutdown()
    }
}
