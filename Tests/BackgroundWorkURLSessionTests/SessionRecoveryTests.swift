import BackgroundWorkModel
import BackgroundWorkTransfers
import TestSupport
import Testing

@testable import BackgroundWorkURLSession

/// What the next process finds and does. A service that is not used again stands for a process that has ended.
@Suite("A URL session's transfers after the end of a process")
struct SessionRecoveryTests {
    private static let content = Array("the file".utf8)

    private func delivered(_ outcome: TransferOutcome?) -> Bool {
        if case .delivered(let path, let bytes, 200, _) = outcome?.result {
            return bytes == Self.content.count && (try? Array(Data(contentsOf: URL(filePath: path)))) == Self.content
        }
        return false
    }

    /// A transfer whose task is not listed when the next service has connected.
    private func lost() async throws -> (SessionStage, ScriptedTask, URLSessionTransferService, OutcomeRecorder) {
        let stage = try SessionStage()
        let task = try await stage.begin(stage.download("a"), with: stage.service())
        stage.scripted.lose(task)
        let (next, recorder) = (stage.service(), OutcomeRecorder())
        await next.receive(with: recorder, immediately: true)
        return (stage, task, next, recorder)
    }

    @Test("a reservation is the same in the next process, with one task")
    func reserved() async throws {
        let stage = try SessionStage()
        let number = try await stage.service().reserve(stage.download("a"))
        let next = stage.service()
        #expect(try await next.reserve(stage.download("a")) == number)
        try await next.resume(SessionStage.reference("a"))
        #expect(stage.scripted.tasks.count == 1)
        #expect(stage.scripted.tasks.first?.isRunning == true)
    }

    @Test("a reservation whose task the system has lost gets another one when it is started")
    func lostReservation() async throws {
        let stage = try SessionStage()
        let number = try await stage.service().reserve(stage.download("a"))
        stage.scripted.lose(try #require(stage.scripted.tasks.first))
        let next = stage.service()
        #expect(try await next.reserve(stage.download("a")) == number)
        try await next.resume(SessionStage.reference("a"))
        #expect(stage.scripted.tasks.map(\.isRunning) == [true])
    }

    @Test("a reservation that was changed stays changed")
    func changedReservation() async throws {
        let stage = try SessionStage()
        let first = stage.service()
        let number = try await first.reserve(stage.download("a"))
        var changed = stage.download("a")
        changed.savePath += "-elsewhere"
        #expect(try await first.reserve(changed) == number)
        let next = stage.service()
        let recorder = OutcomeRecorder()
        await next.receive(with: recorder, immediately: true)
        try await next.resume(SessionStage.reference("a"))
        let task = try #require(stage.task(of: changed))
        try stage.scripted.deliver(Self.content, of: task)
        stage.scripted.complete(task)
        await recorder.wait(for: 1)
        #expect(recorder.outcomes.first?.savePath == changed.savePath)
    }

    @Test("a file that is lost with the process that was taking it is fetched again", arguments: [true, false])
    func lostFile(isToldAgain: Bool) async throws {
        let (stage, recorder) = (try SessionStage(), OutcomeRecorder())
        let specification = stage.download("a")
        let task = try await stage.begin(specification, with: stage.service())
        task.answer(200, [:])
        let next = stage.service()
        await next.receive(with: recorder, immediately: true)
        if isToldAgain {
            stage.scripted.receiver?.task(task, finishedDownloadingTo: URL(filePath: stage.folder.path + "/taken"))
        }
        stage.scripted.complete(task)
        let again = try await stage.task(of: specification, after: task, with: next)
        #expect(again.isRunning)
        try stage.scripted.deliver(Self.content, of: again)
        stage.scripted.complete(again)
        await recorder.wait(for: 1)
        #expect(delivered(recorder.outcomes.first))
    }

    @Test("a task that completes while the tasks are listed is tried again once", arguments: [true, false])
    func completesWhileListed(isEndFirst: Bool) async throws {
        let stage = try SessionStage()
        let specification = stage.download("a")
        let task = try await stage.begin(specification, with: stage.service())
        task.answer(200, [:])
        stage.scripted.lose(task)
        stage.scripted.state.withLock { state in
            state.whileListing = {
                if isEndFirst { stage.scripted.finishEvents(SessionStage.session) }
                stage.scripted.complete(task)
                if !isEndFirst { stage.scripted.finishEvents(SessionStage.session) }
            }
        }
        let next = stage.service()
        _ = try await next.transfers()
        let again = try await stage.task(of: specification, after: task, with: next)
        await next.replaceLost(in: stage.scripted, SessionStage.session)
        #expect(stage.scripted.tasks.map(\.taskIdentifier) == [again.taskIdentifier])
    }

    @Test("a file that is missing again and again fails its download")
    func missingFile() async throws {
        let (stage, recorder) = (try SessionStage(), OutcomeRecorder())
        let (specification, service) = (stage.download("a"), stage.service())
        let first = try await stage.begin(specification, with: service)
        await service.receive(with: recorder, immediately: true)
        first.answer(200, [:])
        stage.scripted.complete(first)
        let second = try await stage.task(of: specification, after: first, with: service)
        second.answer(200, [:])
        stage.scripted.complete(second)
        await recorder.wait(for: 1)
        guard case .failed(let failure) = recorder.outcomes.first?.result else {
            Issue.record("\(recorder.outcomes)")
            return
        }
        #expect(failure.isRetryable)
        #expect(failure.message.contains("was not there"), "\(failure.message)")
    }

    @Test("the file of a task that was replaced counts, and the other task ends")
    func replacedTaskDelivers() async throws {
        let (stage, task, next, recorder) = try await lost()
        await next.replaceLost(in: stage.scripted, SessionStage.session)
        let replacement = try #require(stage.task(of: stage.download("a")))
        try stage.scripted.deliver(Self.content, of: task)
        stage.scripted.complete(task)
        await recorder.wait(for: 1)
        #expect(delivered(recorder.outcomes.first))
        #expect(replacement.isCancelled)
    }

    @Test("a task that was created and not recorded is cancelled")
    func unrecorded() async throws {
        let stage = try SessionStage()
        let orphan = stage.scripted.download(URLRequest(url: URL(filePath: "/")))
        orphan.taskDescription = try TaskLabel(stage.download("a")).text()
        let foreign = stage.scripted.download(URLRequest(url: URL(filePath: "/")))
        foreign.taskDescription = "somebody's"
        _ = try await stage.service().reserve(stage.download("b"))
        #expect(stage.scripted.tasks.map(\.isCancelled) == [true, false, false])
    }

    @Test("a task whose record was lost is taken over when the state file has its entry")
    func lostJournal() async throws {
        let stage = try SessionStage()
        let task = try await stage.begin(stage.download("a"), with: stage.service())
        try await stage.addEntry(Int64(task.taskIdentifier))
        try FileManager.default.removeItem(atPath: stage.folder.path + "/url_sessions")
        let next = stage.service()
        let recorder = OutcomeRecorder()
        await next.receive(with: recorder, immediately: true)
        #expect(try await next.transfers().map(\.reference) == [SessionStage.reference("a")])
        try stage.scripted.deliver(Self.content, of: task)
        stage.scripted.complete(task)
        await recorder.wait(for: 1)
        #expect(recorder.outcomes.first?.reference == SessionStage.reference("a"))
        #expect(delivered(recorder.outcomes.first))
    }

    @Test("a download of the ancestor is taken over, whether or not it ended before", arguments: [false, true])
    func ancestor(hasEnded: Bool) async throws {
        let stage = try SessionStage()
        let task = try #require(
            stage.scripted.download(URLRequest(url: URL(string: "https://example.com/film")!)) as? ScriptedTask)
        let foreign = stage.scripted.download(URLRequest(url: URL(string: "https://example.com/other")!))
        try await stage.addEntry(Int64(task.taskIdentifier), nil)
        if hasEnded { task.contents.withLock { $0.isOver = true } }
        let (service, recorder) = (stage.service(), OutcomeRecorder())
        await service.receive(with: recorder, immediately: true)
        #expect(try await service.transfers().map(\.savePath) == (hasEnded ? [] : [stage.folder.path + "/film"]))
        try stage.scripted.deliver(Self.content, of: task)
        stage.scripted.complete(task)
        await recorder.wait(for: 1)
        #expect(delivered(recorder.outcomes.first))
        #expect(recorder.outcomes.first?.savePath == stage.folder.path + "/film")
        #expect(recorder.outcomes.first?.taskIdentifier == Int64(task.taskIdentifier))
        #expect(foreign.taskDescription == nil)
    }

    @Test("a transfer that was recorded as active and not started is started")
    func notStarted() async throws {
        let stage = try SessionStage()
        let task = try await stage.begin(stage.download("a"), with: stage.service())
        task.suspend()
        await stage.service().receive(with: OutcomeRecorder(), immediately: true)
        #expect(task.isRunning)
    }

    @Test("a file that arrived before the app's container moved is delivered at its new place, for its new target")
    func movedContainer() async throws {
        let stage = try SessionStage()
        let container = stage.folder.path + "/A"
        try FileManager.default.createDirectory(atPath: container, withIntermediateDirectories: true)
        var specification = stage.download("a")
        specification.savePath = container + "/film"
        let task = try await stage.begin(specification, with: stage.service(in: container))
        // The process ends between the file and the completion.
        try stage.scripted.deliver(Self.content, of: task)
        let moved = stage.folder.path + "/B"
        try FileManager.default.moveItem(atPath: container, toPath: moved)
        let moves = FolderMoves(["app": [moved, container]])
        for _ in 1...2 {
            let recorder = OutcomeRecorder()
            let next = stage.service(in: moved, folders: moves)
            await next.receive(with: recorder, immediately: true)
            await recorder.wait(for: 1)
            #expect(delivered(recorder.outcomes.first))
            #expect(recorder.outcomes.first?.savePath == moved + "/film")
            #expect(try await next.transfers().map(\.savePath) == [moved + "/film"])
        }
    }

    @Test("a file that arrived is delivered by the next process, until it is acknowledged")
    func arrived() async throws {
        let stage = try SessionStage()
        let first = stage.service()
        let task = try await stage.begin(stage.download("a"), with: first)
        // The process ends between the file and the completion.
        try stage.scripted.deliver(Self.content, of: task)
        for _ in 1...2 {
            let recorder = OutcomeRecorder()
            await stage.service().receive(with: recorder, immediately: true)
            await recorder.wait(for: 1)
            #expect(delivered(recorder.outcomes.first))
        }
        let last = stage.service()
        try await last.acknowledge(SessionStage.reference("a"))
        let recorder = OutcomeRecorder()
        await last.receive(with: recorder, immediately: true)
        #expect(recorder.outcomes.isEmpty)
        #expect(try await last.transfers().isEmpty)
    }

    @Test("a transfer whose task the system has lost gets another one, once all events have come")
    func lostTask() async throws {
        let (stage, task, next, recorder) = try await lost()
        #expect(stage.scripted.tasks.isEmpty)
        await next.replaceLost(in: stage.scripted, SessionStage.session)
        let replacement = try #require(stage.task(of: stage.download("a")))
        #expect(replacement.isRunning)
        try stage.scripted.deliver(Self.content, of: replacement)
        stage.scripted.complete(replacement)
        await recorder.wait(for: 1)
        // The state file knows it by its first number.
        #expect(recorder.outcomes.first?.taskIdentifier == Int64(task.taskIdentifier))
    }

    @Test("a task that is not listed and reports its end is not replaced")
    func lateEnd() async throws {
        let (stage, task, next, recorder) = try await lost()
        try stage.scripted.deliver(Self.content, of: task)
        stage.scripted.complete(task)
        await recorder.wait(for: 1)
        await next.replaceLost(in: stage.scripted, SessionStage.session)
        #expect(stage.scripted.tasks.isEmpty)
        #expect(delivered(recorder.outcomes.first))
    }

    @Test("a lost upload whose failure is reported while its next body is written gets one task")
    func lateFailure() async throws {
        let stage = try SessionStage()
        let specification = try stage.upload("a", "the film", retry: .linear())
        let task = try await stage.begin(specification, with: stage.service())
        stage.scripted.lose(task)
        let next = stage.service()
        await next.receive(with: OutcomeRecorder(), immediately: true)
        StagingArea.slowQueue.suspend()
        async let replaced: Void = next.replaceLost(in: stage.scripted, SessionStage.session)
        while await next.unaccounted[SessionStage.session] != nil { await Task.yield() }
        stage.scripted.complete(task, URLError(.networkConnectionLost))
        // Answered after the next attempt has begun to wait for the body.
        let phases = try? await next.transfers().map(\.phase)
        StagingArea.slowQueue.resume()
        #expect(phases == [.running])
        await replaced
        while await !next.ending.isEmpty { await Task.yield() }
        let left = stage.scripted.tasks.filter { !$0.isCancelled }
        #expect(left.map(\.taskIdentifier) == [2])
        #expect(left.map(\.isRunning) == [true])
    }

    @Test("numbers stay unique when a session begins with low ones again")
    func numbers() async throws {
        let stage = try SessionStage()
        let first = try await stage.service().reserve(stage.download("a"))
        try await stage.addEntry(first + 1)
        stage.scripted.restartNumbers()
        let second = try await stage.service().reserve(stage.download("b"))
        #expect(second == first + 2)
    }

    @Test("a cancelled transfer is forgotten, and its task's late events change nothing")
    func cancelled() async throws {
        let stage = try SessionStage()
        let service = stage.service()
        let recorder = OutcomeRecorder()
        await service.receive(with: recorder, immediately: true)
        let task = try await stage.begin(stage.download("a"), with: service)
        try await service.cancel([SessionStage.reference("a")])
        #expect(task.isCancelled)
        try stage.scripted.deliver(Self.content, of: task)
        stage.scripted.complete(task, URLError(.cancelled))
        #expect(recorder.outcomes.isEmpty)
        #expect(try await stage.service().transfers().isEmpty)
        let left = try FileManager.default.contentsOfDirectory(atPath: stage.folder.path + "/url_sessions")
        #expect(!left.contains { $0.hasSuffix(".part") })
    }
}
