import BackgroundWorkModel
import BackgroundWorkTransfers
import TestSupport
import Testing

@testable import BackgroundWorkURLSession

/// When a process that the system has launched or woken for a session has been told everything.
@Suite("What a session has to tell is delivered")
struct SessionDeliveryTests {
    private static let content = Array("the file".utf8)

    /// A download that runs, and the service of a process that is launched after its end.
    private func launched() async throws -> (SessionStage, ScriptedTask, URLSessionTransferService, OutcomeRecorder) {
        let stage = try SessionStage()
        let task = try await stage.begin(stage.download("a"), with: stage.service())
        let (next, recorder) = (stage.service(), OutcomeRecorder())
        await next.receive(with: recorder, immediately: true)
        return (stage, task, next, recorder)
    }

    private func deliver(_ task: ScriptedTask, _ stage: SessionStage) throws {
        try stage.scripted.deliver(Self.content, of: task)
        stage.scripted.complete(task)
    }

    @Test("after the system has said so, or when every transfer of the session has ended", arguments: [false, true])
    func toldAfterwards(hasOther: Bool) async throws {
        let (stage, task, service, recorder) = try await launched()
        // One that does not end.
        if hasOther { _ = try await stage.begin(stage.download("other"), with: service) }
        let delivered = Recorder<Int>()
        let asleep = stage.clock.sleepers
        async let waiting: Void = {
            await service.untilDelivered(session: SessionStage.session)
            delivered.add(recorder.outcomes.count)
        }()
        await stage.clock.untilSleeping(atLeast: asleep + 1)
        try deliver(task, stage)
        await recorder.wait(for: 1)
        if hasOther {
            #expect(delivered.values.isEmpty)
            stage.scripted.finishEvents(SessionStage.session)
        }
        await waiting
        #expect(delivered.values == [1])
    }

    @Test("when the system has said so before the handler came")
    func toldBefore() async throws {
        let (stage, task, service, recorder) = try await launched()
        try deliver(task, stage)
        stage.scripted.finishEvents(SessionStage.session)
        await service.untilDelivered(session: SessionStage.session)
        #expect(recorder.outcomes.count == 1)
    }

    @Test("a process that was suspended is told again; what it was told earlier does not count")
    func toldAgain() async throws {
        let (stage, first, service, recorder) = try await launched()
        try deliver(first, stage)
        stage.scripted.finishEvents(SessionStage.session)
        await service.untilDelivered(session: SessionStage.session)
        let second = try await stage.begin(stage.download("b"), with: service)
        let delivered = Recorder<Int>()
        let asleep = stage.clock.sleepers
        async let waiting: Void = {
            await service.untilDelivered(session: SessionStage.session)
            delivered.add(recorder.outcomes.count)
        }()
        await stage.clock.untilSleeping(atLeast: asleep + 1)
        #expect(delivered.values.isEmpty)
        try deliver(second, stage)
        stage.scripted.finishEvents(SessionStage.session)
        await waiting
        #expect(delivered.values == [2])
    }

    @Test("a system that does not say so is waited for, but not for ever")
    func neverTold() async throws {
        let stage = try SessionStage()
        _ = try await stage.begin(stage.download("a"), with: stage.service())
        let messages = Recorder<String>()
        let service = stage.service(report: messages.add)
        await service.receive(with: OutcomeRecorder(), immediately: true)
        let returned = Recorder<Void>()
        Task {
            await service.untilDelivered(session: SessionStage.session)
            returned.add(())
        }
        while returned.values.isEmpty {
            stage.clock.advance(by: .seconds(21))
            await Task.yield()
        }
        #expect(messages.values.contains { $0.contains(SessionStage.session) && $0.contains("all events") })
    }
}
