import BackgroundWork
import Foundation
import Testing

extension Workplace {
    /// A scheduler in the test's own process, beside a real agent.
    func scheduler(configure: (inout WorkScheduler.Configuration) -> Void = { _ in }) throws -> WorkScheduler {
        var workers = WorkerRegistry()
        try workers.register("Effect") { _, context in .success(outputJSON: context.previousOutputs.first) }
        var configuration = WorkScheduler.Configuration(directory: URL(filePath: directory))
        configuration.securityPolicy = .unrestricted
        configuration.agentExecutable = agentScript
        configure(&configuration)
        return try WorkScheduler(configuration: configuration, workers: workers)
    }

    /// A download of what the server has at a path.
    func download(
        _ path: String = "/file", to savePath: String? = nil, timeoutMs: Int = 30_000, attempts: Int = 1
    ) throws -> TaskRequest {
        try download(url: server.url(path), to: savePath, timeoutMs: timeoutMs, attempts: attempts)
    }

    func download(
        url: String, to savePath: String? = nil, timeoutMs: Int = 30_000, attempts: Int = 1
    ) throws -> TaskRequest {
        var download = DownloadConfiguration(url: url, savePath: savePath ?? self.savePath)
        download.options.stallTimeout = .milliseconds(timeoutMs)
        // What is tried again here is the request, as often as `attempts` says.
        download.options.retry = .never
        return TaskRequest(
            workerClassName: "BackgroundDownloadWorker",
            inputJSON: String(decoding: try JSONEncoder().encode(download), as: UTF8.self),
            retryPolicy: .linear(initialDelay: .milliseconds(20), maximumAttempts: attempts, jitter: 0))
    }

    /// Runs one request on a new scheduler, and returns its event.
    func run(
        _ request: TaskRequest, configure: (inout WorkScheduler.Configuration) -> Void = { _ in }
    ) async throws -> TaskCompletionEvent? {
        let scheduler = try scheduler(configure: configure)
        let stream = scheduler.eventBus.events
        try await scheduler.start()
        let answer = try await scheduler.enqueue(request)
        guard case .accepted = answer else {
            Issue.record("\(answer)")
            await scheduler.shutdown()
            return nil
        }
        var iterator = stream.makeAsyncIterator()
        let event = await iterator.next()
        await scheduler.shutdown()
        return event
    }

    /// Enqueues one request on a new scheduler, which must refuse it and store nothing, and returns the reason.
    func refusal(
        of request: TaskRequest, configure: (inout WorkScheduler.Configuration) -> Void = { _ in }
    ) async throws -> String? {
        let scheduler = try scheduler(configure: configure)
        let answer = try await scheduler.enqueue(request)
        #expect(try await scheduler.infos(matching: WorkQuery()).isEmpty)
        await scheduler.shutdown()
        if case .rejectedBySystem(let reason) = answer { return reason }
        Issue.record("\(answer)")
        return nil
    }
}
