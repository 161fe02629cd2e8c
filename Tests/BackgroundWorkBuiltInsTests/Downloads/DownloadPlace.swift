import BackgroundWork
import BackgroundWorkTesting
import Foundation
import TestSupport

/// A scheduler, a server and a folder in which files are saved.
final class DownloadPlace: Sendable {
    /// More than several parts of the smallest length.
    static let content = (0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 / 251 &+ $0) }

    let folder: TemporaryFolder
    let server: LocalHTTPServer
    let scheduler: WorkScheduler
    private let events: AsyncStream<TaskCompletionEvent>

    /// - Parameter folder: of an earlier place, whose work goes on.
    init(
        _ folder: TemporaryFolder? = nil, server: LocalHTTPServer? = nil, workers: WorkerRegistry = WorkerRegistry(),
        allowing directories: [String]? = nil
    ) async throws {
        self.folder = try folder ?? TemporaryFolder()
        self.server = try server ?? LocalHTTPServer()
        var configuration = WorkScheduler.Configuration(directory: URL(filePath: self.folder.path + "/scheduler"))
        configuration.securityPolicy.allowsLoopback = true
        if let directories { configuration.securityPolicy.allowedDirectories = Set(directories) }
        scheduler = try WorkScheduler(configuration: configuration, workers: workers)
        events = scheduler.eventBus.events
        if server == nil {
            self.server.serve(.bytes(Self.content), at: "/file")
            try self.server.start()
        }
        try await scheduler.start()
    }

    deinit { server.stop() }

    var saved: String { folder.path + "/saved" }
    var target: String { saved + "/file.bin" }
    var url: String { server.url("/file") }

    /// Everything in the folder where files are saved.
    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: saved))?.sorted() ?? [] }
    var partials: [String] { names.filter { $0.hasPrefix(".") } }
    var content: [UInt8]? { bytes(at: target) }

    func bytes(at path: String) -> [UInt8]? { FileManager.default.contents(atPath: path).map(Array.init) }

    func write(_ text: String, to path: String) throws {
        try FileManager.default.createDirectory(
            atPath: URL(filePath: path).deletingLastPathComponent().path, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    var download: HttpDownloadWorker.Input { HttpDownloadWorker.Input(url: url, savePath: target) }
    var parallel: ParallelHttpDownloadWorker.Input { ParallelHttpDownloadWorker.Input(url: url, savePath: target) }

    /// A request that is tried again at once.
    func request<W: Worker>(_ worker: W.Type, _ input: W.Input, attempts: Int = 1) -> TaskRequest
    where W.Input: WorkerInput {
        TaskRequest(
            worker, input: input,
            retryPolicy: .linear(initialDelay: .zero, maximumDelay: .zero, maximumAttempts: attempts, jitter: 0))
    }

    /// Runs it to its end.
    func end(of request: TaskRequest, id: String = "work") async throws -> TaskCompletionEvent {
        let answer = try await scheduler.enqueue(request, id: id)
        guard case .accepted = answer else { throw Refused(answer: "\(answer)") }
        return try await end(of: id)
    }

    func end(of id: String) async throws -> TaskCompletionEvent {
        for await event in events where event.workID == id { return event }
        throw CancellationError()
    }

    func end(of input: HttpDownloadWorker.Input, attempts: Int = 1) async throws -> TaskCompletionEvent {
        try await end(of: request(HttpDownloadWorker.self, input, attempts: attempts))
    }

    func end(of input: ParallelHttpDownloadWorker.Input, attempts: Int = 1) async throws -> TaskCompletionEvent {
        try await end(of: request(ParallelHttpDownloadWorker.self, input, attempts: attempts))
    }

    struct Refused: Error { var answer: String }
}
