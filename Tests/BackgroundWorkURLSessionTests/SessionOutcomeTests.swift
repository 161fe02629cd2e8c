import BackgroundWorkModel
import BackgroundWorkTesting
import BackgroundWorkTransfers
import TestSupport
import Testing

@testable import BackgroundWorkURLSession

@Suite("How a URL session's transfers end")
struct SessionOutcomeTests {
    private static let content = Array("the file".utf8)

    private func failure(_ outcome: TransferOutcome?) throws -> TransferFailure {
        guard case .failed(let failure) = try #require(outcome).result else { throw Unexpected() }
        return failure
    }

    private struct Unexpected: Error {}

    /// A service with one transfer under way.
    private func begun(
        _ stage: SessionStage, _ specification: TransferSpecification
    ) async throws -> (URLSessionTransferService, OutcomeRecorder, ScriptedTask) {
        let (service, recorder) = (stage.service(), OutcomeRecorder())
        await service.receive(with: recorder, immediately: true)
        return (service, recorder, try await stage.begin(specification, with: service))
    }

    @Test("events that come twice make one outcome")
    func twice() async throws {
        let stage = try SessionStage()
        let (service, recorder, task) = try await begun(stage, stage.download("a"))
        for _ in 1...2 {
            try stage.scripted.deliver(Self.content, of: task)
            stage.scripted.complete(task)
        }
        await recorder.wait(for: 1)
        // Answered after everything that the events have begun.
        #expect(try await service.transfers().map(\.phase) == [.succeeded])
        #expect(recorder.outcomes.count == 1)
    }

    @Test("the page of an error status is never the file", arguments: [404, 403, 500, 304])
    func status(_ status: Int) async throws {
        let stage = try SessionStage()
        let (_, recorder, task) = try await begun(stage, stage.download("a"))
        try stage.scripted.deliver(Array("not found".utf8), of: task, status: status, headers: ["Retry-After": "7"])
        stage.scripted.complete(task)
        await recorder.wait(for: 1)
        let failure = try failure(recorder.outcomes.first)
        #expect(failure.statusCode == status)
        #expect(failure.isRetryable == (status == 500))
        #expect(failure.retryAfterMs == 7000)
        let left = try FileManager.default.contentsOfDirectory(atPath: stage.folder.path + "/url_sessions")
        #expect(!left.contains { $0.hasSuffix(".part") })
    }

    @Test("a last failure says where the download has stopped, and the next transfer continues there")
    func resumeToken() async throws {
        let stage = try SessionStage()
        let (service, recorder, task) = try await begun(stage, stage.download("a"))
        let data = Data([1, 2, 3])
        stage.scripted.complete(
            task,
            NSError(
                domain: NSURLErrorDomain, code: NSURLErrorNetworkConnectionLost,
                userInfo: ["NSURLSessionDownloadTaskResumeData": data]))
        await recorder.wait(for: 1)
        let token = try #require(try failure(recorder.outcomes.first).resumeToken)
        var next = stage.download("a") { job, _ in job.resumeToken = token.text }
        next.reference = SessionStage.reference("a", generation: 2)
        let resumed = try await stage.begin(next, with: service)
        guard case .data(data) = resumed.origin else {
            Issue.record("\(resumed.origin)")
            return
        }
        // The data has the request of the first transfer, with its token.
        try stage.scripted.deliver(Array("who are you?".utf8), of: resumed, status: 401)
        stage.scripted.complete(resumed)
        let anew = try await stage.task(of: next, after: resumed, with: service)
        guard case .request = anew.origin else {
            Issue.record("\(anew.origin)")
            return
        }
        try stage.scripted.deliver(Self.content, of: anew)
        stage.scripted.complete(anew)
        await recorder.wait(for: 2)
        guard case .delivered = recorder.outcomes.last?.result else {
            Issue.record("\(String(describing: recorder.outcomes.last))")
            return
        }
    }

    @Test("a download whose kept bytes are gone begins anew, without a failed attempt")
    func lostResumeData() async throws {
        let stage = try SessionStage()
        var specification = stage.download("a") { job, _ in job.resumeToken = Data([1]).base64EncodedString() }
        specification.options.retry = .never
        let (service, recorder, resumed) = try await begun(stage, specification)
        stage.scripted.complete(resumed, URLError(.cannotWriteToFile))
        let anew = try await stage.task(of: specification, after: resumed, with: service)
        guard case .request = anew.origin else {
            Issue.record("\(anew.origin)")
            return
        }
        try stage.scripted.deliver(Self.content, of: anew)
        stage.scripted.complete(anew)
        await recorder.wait(for: 1)
        guard case .delivered = recorder.outcomes.first?.result else {
            Issue.record("\(recorder.outcomes)")
            return
        }
    }

    @Test("a file with another checksum is deleted")
    func checksum() async throws {
        let stage = try SessionStage()
        let specification = stage.download("a") { job, _ in
            job.checksum = FileChecksum(.md5, hex: "00000000000000000000000000000000")
        }
        let (_, recorder, task) = try await begun(stage, specification)
        try stage.scripted.deliver(Self.content, of: task)
        stage.scripted.complete(task)
        await recorder.wait(for: 1)
        let failure = try failure(recorder.outcomes.first)
        #expect(failure.kind == .checksum)
        #expect(failure.message.contains("https://example.com/a"))
    }

    @Test("a file that is longer than allowed is rejected")
    func tooLong() async throws {
        let stage = try SessionStage()
        let (_, recorder, task) = try await begun(stage, stage.download("a") { job, _ in job.maxBytes = 3 })
        try stage.scripted.deliver(Self.content, of: task)
        stage.scripted.complete(task)
        await recorder.wait(for: 1)
        #expect(try failure(recorder.outcomes.first).kind == .limit)
    }

    @Test("what App Transport Security refuses fails once, and says what to do")
    func transportSecurity() async throws {
        let stage = try SessionStage()
        let specification = stage.download("a") { _, options in options.retry = .exponential() }
        let (_, recorder, task) = try await begun(stage, specification)
        stage.scripted.complete(task, NSError(domain: NSURLErrorDomain, code: -1022))
        await recorder.wait(for: 1)
        let failure = try failure(recorder.outcomes.first)
        #expect(failure.message.contains("NSAppTransportSecurity"))
        #expect(!failure.isRetryable)
        #expect(stage.scripted.tasks.count == 1)
    }

    @Test("a failed attempt is tried again by the system, from what was received, when its wait is over")
    func retry() async throws {
        let stage = try SessionStage()
        let specification = stage.download("a") { _, options in
            options.retry = .exponential(
                initialDelay: .seconds(30), maximumDelay: .seconds(300), maximumAttempts: 2, jitter: 0)
        }
        let (service, recorder, task) = try await begun(stage, specification)
        let kept = Data("resume".utf8)
        stage.scripted.complete(
            task,
            NSError(
                domain: NSURLErrorDomain, code: NSURLErrorNetworkConnectionLost,
                userInfo: ["NSURLSessionDownloadTaskResumeData": kept]))
        let next = try await stage.task(of: specification, after: task, with: service)
        guard case .data(kept) = next.origin else {
            Issue.record("begun anew")
            return
        }
        #expect(next.isRunning)
        #expect(next.earliestBeginDate == stage.clock.now.addingTimeInterval(30))
        stage.scripted.complete(next, URLError(.networkConnectionLost))
        await recorder.wait(for: 1)
        #expect(try failure(recorder.outcomes.first).isRetryable)
        #expect(recorder.outcomes.first?.details?.requests == 2)
        #expect(recorder.outcomes.first?.taskIdentifier == Int64(task.taskIdentifier))
    }

    @Test("what the user's ending of the app has cancelled goes on, without counting as a failure")
    func forceQuit() async throws {
        let stage = try SessionStage()
        let specification = stage.download("a")
        let (service, recorder, task) = try await begun(stage, specification)
        stage.scripted.complete(
            task,
            NSError(
                domain: NSURLErrorDomain, code: NSURLErrorCancelled,
                userInfo: ["NSURLErrorBackgroundTaskCancelledReasonKey": 0]))
        let second = try await stage.task(of: specification, after: task, with: service)
        #expect(recorder.outcomes.isEmpty)
        #expect(second.earliestBeginDate == nil)
    }

    @Test("what the system has cancelled for another reason counts as a failure", arguments: [1, 2])
    func systemCancels(_ reason: Int) async throws {
        let stage = try SessionStage()
        let (_, recorder, task) = try await begun(stage, stage.download("a"))
        stage.scripted.complete(
            task,
            NSError(
                domain: NSURLErrorDomain, code: NSURLErrorCancelled,
                userInfo: ["NSURLErrorBackgroundTaskCancelledReasonKey": reason]))
        await recorder.wait(for: 1)
        #expect(try failure(recorder.outcomes.first).isRetryable)
    }

    @Test("failures are counted from anew after an attempt that moved much, and only after such a one")
    func progressRestartsCount() async throws {
        let stage = try SessionStage()
        let specification = stage.download("a") { _, options in
            options.retry = .exponential(
                initialDelay: .seconds(1), maximumDelay: .seconds(1), maximumAttempts: 2, jitter: 0)
        }
        let (service, recorder, first) = try await begun(stage, specification)
        stage.scripted.move(0, first)
        stage.scripted.move(2 << 20, first)
        stage.scripted.complete(first, URLError(.networkConnectionLost))
        let second = try await stage.task(of: specification, after: first, with: service)
        // Continues where the first one was, and moves nothing.
        stage.scripted.move(2 << 20, second)
        stage.scripted.complete(second, URLError(.networkConnectionLost))
        await recorder.wait(for: 1)
        #expect(recorder.outcomes.first?.details?.requests == 2)
    }

    @Test("a report has the bytes that caused it, and the newest comes a tenth of a second later, if none follows, too")
    func progress() async throws {
        let stage = try SessionStage()
        let (service, recorder, task) = try await begun(stage, stage.download("a"))
        stage.scripted.move(10, of: 40, task)
        let isFirst = try await comesTrue { recorder.progress.map(\.bytes) == [10] }
        #expect(isFirst)
        for bytes: Int64 in [20, 30] { stage.scripted.move(bytes, of: 40, task) }
        _ = try await service.transfers()
        #expect(recorder.progress.map(\.bytes) == [10])
        let isSecond = try await comesTrue {
            stage.clock.advance(by: .milliseconds(100))
            return recorder.progress.map(\.bytes) == [10, 30]
        }
        #expect(isSecond)
        #expect(recorder.progress.allSatisfy { $0.totalBytes == 40 && $0.phase == .running })
    }

    @Test("the page of an error status may be longer than the file")
    func longErrorPage() async throws {
        let stage = try SessionStage()
        let (_, recorder, task) = try await begun(stage, stage.download("a") { job, _ in job.maxBytes = 3 })
        task.answer(503, [:])
        stage.scripted.move(100, of: 1000, task)
        stage.scripted.complete(task)
        await recorder.wait(for: 1)
        #expect(try failure(recorder.outcomes.first).statusCode == 503)
    }

    @Test("the time of a transfer goes on while it is paused")
    func pausedTooLong() async throws {
        let stage = try SessionStage()
        let specification = stage.download("a") { _, options in options.resourceTimeout = .seconds(60) }
        let (service, recorder, _) = try await begun(stage, specification)
        try await service.setPaused(specification.reference, true)
        await stage.clock.untilSleeping(atLeast: 2)
        stage.clock.advance(by: .seconds(61))
        await recorder.wait(for: 1)
        #expect(try failure(recorder.outcomes.first).message.contains("resourceTimeout"))
    }

    @Test("an upload's answer is that of its last attempt")
    func answer() async throws {
        let stage = try SessionStage()
        let specification = try stage.upload(
            "a", "the file",
            retry: .exponential(
                initialDelay: .seconds(1), maximumDelay: .seconds(1), maximumAttempts: 3, jitter: 0))
        let (service, recorder, first) = try await begun(stage, specification)
        first.answer(503, [:])
        stage.scripted.receiver?.task(first, received: Data("busy".utf8))
        stage.scripted.complete(first)
        let second = try await stage.task(of: specification, after: first, with: service)
        second.answer(201, [:])
        stage.scripted.receiver?.task(second, received: Data("thanks".utf8))
        stage.scripted.complete(second)
        await recorder.wait(for: 1)
        #expect(recorder.outcomes.first?.details?.responseBody == "thanks")
    }

    @Test("a multipart body has the bytes of the file that is wanted now")
    func changedSource() async throws {
        let stage = try SessionStage()
        let service = stage.service()
        _ = try await service.reserve(stage.upload("a", "old text"))
        let changed = try stage.upload("a", "new text")
        _ = try await service.reserve(changed)
        guard case .upload(_, let file) = try #require(stage.task(of: changed)).origin else {
            Issue.record("not an upload")
            return
        }
        #expect(try String(contentsOf: file, encoding: .utf8).contains("new text"))
    }

    @Test("a transfer that is not complete in time fails")
    func tooLate() async throws {
        let stage = try SessionStage()
        let specification = stage.download("a") { _, options in options.resourceTimeout = .seconds(60) }
        let (_, recorder, task) = try await begun(stage, specification)
        await stage.clock.untilSleeping(atLeast: 2)
        stage.clock.advance(by: .seconds(61))
        await recorder.wait(for: 1)
        #expect(task.isCancelled)
        #expect(try failure(recorder.outcomes.first).message.contains("resourceTimeout"))
    }

    @Test("what a session cannot do is refused with the field's name")
    func refused() async throws {
        let stage = try SessionStage()
        let service = stage.service()
        let specification = stage.download("a") { job, _ in job.mirrors = ["https://example.org/a"] }
        let failure = await #expect(throws: AgentFailure.self) { try await service.reserve(specification) }
        #expect(failure?.message.hasPrefix("mirrors: ") == true)
        #expect(stage.scripted.tasks.isEmpty)
    }
}
