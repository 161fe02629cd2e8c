import BackgroundWorkModel
import BackgroundWorkTransfers
import TestSupport
import Testing

@testable import BackgroundWorkURLSession

/// Pauses, which a download that another task can continue ends with its task.
@Suite("Pauses of a URL session's transfers", .timeLimit(.minutes(5)))
struct SessionPauseTests {
    /// How what a stopped task has received comes, if it does.
    enum Bringing: String, CaseIterable, Sendable { case byError, byHandlerFirst, byHandlerLater, never }

    private func data(_ text: String) -> Data { Data(text.utf8) }

    /// Pauses a download that has begun to arrive.
    private func pause(
        _ task: ScriptedTask, _ data: Data, of specification: TransferSpecification,
        with service: URLSessionTransferService
    ) async throws {
        task.answer(200, ["ETag": "1", "Accept-Ranges": "bytes"])
        task.contents.withLock { $0.resumeData = data }
        try await service.setPaused(specification.reference, true)
        #expect(task.isCancelled)
    }

    /// The cancellation of a stopped task completes. Returns the next task.
    private func end(
        _ task: ScriptedTask, _ bringing: Bringing, of specification: TransferSpecification, on stage: SessionStage,
        with service: URLSessionTransferService
    ) async throws -> ScriptedTask {
        let data = task.contents.withLock { $0.resumeData }
        stage.scripted.complete(
            task,
            NSError(
                domain: NSURLErrorDomain, code: NSURLErrorCancelled,
                userInfo: bringing == .byError ? ["NSURLSessionDownloadTaskResumeData": data as Any] : [:]))
        let next = try await stage.task(of: specification, after: task, with: service)
        guard bringing == .byHandlerLater else { return next }
        task.passData()
        return try await stage.task(of: specification, after: next, with: service)
    }

    private func expect(_ task: ScriptedTask, continues data: Data?) {
        switch task.origin {
        case .data(let found): #expect(found == data)
        case .request: #expect(data == nil)
        case .upload: Issue.record("the task is an upload")
        }
    }

    @Test(
        "a pause that outlives its process ends when it is said, whether the task had begun or not",
        arguments: [true, false])
    func pause(hasBegun: Bool) async throws {
        let stage = try SessionStage()
        let (first, reference) = (stage.service(), SessionStage.reference("a"))
        _ = try await first.reserve(stage.download("a"))
        if hasBegun { try await first.resume(reference) }
        try await first.setPaused(reference, true)
        if !hasBegun { try await first.resume(reference) }
        let next = stage.service()
        #expect(try await next.transfers().map(\.phase) == [.paused])
        #expect(stage.scripted.tasks.map(\.isRunning) == [false])
        try await next.setPaused(reference, false)
        #expect(stage.scripted.tasks.map(\.isRunning) == [true])
    }

    @Test(
        "a paused download gives up its task, and goes on from what the task had, in the same process or the next",
        arguments: Bringing.allCases, [true, false])
    func keepsData(_ bringing: Bringing, isOtherProcess: Bool) async throws {
        let stage = try SessionStage()
        let (specification, first) = (stage.download("a"), stage.service())
        await first.receive(with: OutcomeRecorder(), immediately: true)
        let task = try await stage.begin(specification, with: first)
        try await pause(task, data("so far"), of: specification, with: first)
        if bringing == .byHandlerFirst { task.passData() }
        _ = try await first.transfers()
        let service = isOtherProcess && bringing != .byHandlerLater ? stage.service() : first
        await service.receive(with: OutcomeRecorder(), immediately: true)
        let next = try await end(task, bringing, of: specification, on: stage, with: service)
        expect(next, continues: bringing == .never ? nil : data("so far"))
        #expect(!next.isRunning)
        #expect(try await service.transfers().map(\.phase) == [.paused])
        try await service.setPaused(specification.reference, false)
        #expect(next.isRunning)
    }

    @Test(
        "a pause that is over before its task lets the next task continue, in the same process or the next",
        arguments: Bringing.allCases, [true, false])
    func shortPause(_ bringing: Bringing, isOtherProcess: Bool) async throws {
        let (stage, recorder) = (try SessionStage(), OutcomeRecorder())
        let (specification, first) = (stage.download("a"), stage.service())
        await first.receive(with: OutcomeRecorder(), immediately: true)
        let task = try await stage.begin(specification, with: first)
        try await pause(task, data("so far"), of: specification, with: first)
        try await first.setPaused(specification.reference, false)
        try await first.setPaused(specification.reference, true)
        try await first.setPaused(specification.reference, false)
        if bringing == .byHandlerFirst { task.passData() }
        _ = try await first.transfers()
        let service = isOtherProcess && bringing != .byHandlerLater ? stage.service() : first
        await service.receive(with: recorder, immediately: true)
        let next = try await end(task, bringing, of: specification, on: stage, with: service)
        expect(next, continues: bringing == .never ? nil : data("so far"))
        #expect(next.isRunning)
        #expect(recorder.outcomes.isEmpty)
    }

    @Test(
        "a second pause goes on from what its own task had, never from what that one continued",
        arguments: Bringing.allCases)
    func secondPause(_ bringing: Bringing) async throws {
        let stage = try SessionStage()
        let (specification, service) = (stage.download("a"), stage.service())
        await service.receive(with: OutcomeRecorder(), immediately: true)
        let first = try await stage.begin(specification, with: service)
        try await pause(first, data("a little"), of: specification, with: service)
        let second = try await end(first, .byError, of: specification, on: stage, with: service)
        expect(second, continues: data("a little"))
        try await service.setPaused(specification.reference, false)
        stage.scripted.move(100, second)
        try await pause(second, data("more"), of: specification, with: service)
        if bringing == .byHandlerFirst { second.passData() }
        let third = try await end(second, bringing, of: specification, on: stage, with: service)
        expect(third, continues: bringing == .never ? nil : data("more"))
    }

    @Test("what a stopped task had does not take the place of a task that has received something since")
    func tooLate() async throws {
        let stage = try SessionStage()
        let (specification, service) = (stage.download("a"), stage.service())
        let task = try await stage.begin(specification, with: service)
        try await pause(task, data("so far"), of: specification, with: service)
        try await service.setPaused(specification.reference, false)
        let next = try await end(task, .never, of: specification, on: stage, with: service)
        stage.scripted.move(100, next)
        task.passData()
        _ = try await service.transfers()
        #expect(next.isRunning)
        #expect(stage.scripted.tasks.count == 2)
    }

    @Test("a paused download whose task failed by itself has failed")
    func failedWhileStopped() async throws {
        let (stage, recorder) = (try SessionStage(), OutcomeRecorder())
        let (specification, service) = (stage.download("a"), stage.service())
        await service.receive(with: recorder, immediately: true)
        let task = try await stage.begin(specification, with: service)
        try await pause(task, data("so far"), of: specification, with: service)
        stage.scripted.complete(task, URLError(.networkConnectionLost))
        await recorder.wait(for: 1)
        #expect(stage.scripted.tasks.count == 1)
    }

    @Test(
        "a download that cannot be continued is suspended by a pause",
        arguments: [[:], ["ETag": "1"], ["Accept-Ranges": "bytes"], ["ETag": "1", "Accept-Ranges": "none"]])
    func suspended(headers: [String: String]) async throws {
        let stage = try SessionStage()
        let service = stage.service()
        let task = try await stage.begin(stage.download("a"), with: service)
        task.answer(200, headers)
        try await service.setPaused(SessionStage.reference("a"), true)
        #expect(!task.isCancelled && !task.isRunning)
    }

    @Test("a transfer that was recorded as paused, and whose task runs, is suspended")
    func pausedTask() async throws {
        let stage = try SessionStage()
        let first = stage.service()
        let task = try await stage.begin(stage.download("a"), with: first)
        try await first.setPaused(SessionStage.reference("a"), true)
        task.resume()
        await stage.service().receive(with: OutcomeRecorder(), immediately: true)
        #expect(!task.isRunning)
    }
}
