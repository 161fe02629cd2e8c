import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

@testable import BackgroundWork

/// A host's completion handlers, from the daemon's outcomes to the call.
struct SessionHandlerTests {
    let stage: SessionStage

    init() throws { stage = try SessionStage() }

    @MainActor
    private func handled(_ session: String, by scheduler: WorkScheduler, _ start: () async throws -> Void = {})
        async throws
    {
        let latch = Latch()
        scheduler.backgroundSessions.handleEvents(forBackgroundURLSession: session) {
            MainActor.preconditionIsolated()
            latch.open()
        }
        try await start()
        await latch.wait()
    }

    @Test("a handler that is given before the start is called when the waiting outcomes have been processed")
    func beforeStart() async throws {
        let first = try await stage.start()
        try await stage.handOff("film", session: "s", on: first)
        await first.shutdown()
        try stage.daemon.end(workID: "film", with: .downloaded(Array("the film".utf8)))
        let second = try stage.open()
        try await handled("s", by: second) { try await second.start() }
        #expect(try String(contentsOfFile: stage.path("film"), encoding: .utf8) == "the film")
        #expect(try await second.executionHistory(workID: "film").map(\.outcome) == [.succeeded])
        #expect(stage.daemon.transfers.isEmpty)
        await second.shutdown()
    }

    @Test("a handler is called when nothing waits, whatever the session")
    func nothing() async throws {
        let scheduler = try await stage.start()
        try await handled("s", by: scheduler)
        try await handled("unheard of", by: scheduler)
        await scheduler.shutdown()
    }

    @Test("an outcome that cannot be processed in one session does not delay the handler of another")
    func stuck() async throws {
        let service = HeldAcknowledgements(stage.daemon, session: "stuck")
        let scheduler = try stage.open { $0.transferService = service }
        try await scheduler.start()
        try await stage.handOff("a", session: "stuck", on: scheduler)
        try await stage.handOff("b", session: "free", on: scheduler)
        try stage.daemon.end(workID: "a", with: .downloaded([1]))
        try stage.daemon.end(workID: "b", with: .downloaded([2]))
        let isCalled = Recorder<Void>()
        let called = Latch()
        await MainActor.run {
            scheduler.backgroundSessions.handleEvents(forBackgroundURLSession: "stuck") {
                isCalled.add(())
                called.open()
            }
        }
        try await handled("free", by: scheduler)
        #expect(isCalled.values.isEmpty)
        service.latch.open()
        await called.wait()
        try await handled("stuck", by: scheduler)
        #expect(isCalled.values.count == 1)
        #expect(stage.daemon.transfers.isEmpty)
        await scheduler.shutdown()
    }

    @Test("when the daemon cannot be reached the handler is called once that is known")
    func unreachable() async throws {
        let first = try await stage.start()
        try await stage.handOff("film", session: "s", on: first)
        await first.shutdown()
        stage.daemon.loseConnection()
        let second = try stage.open()
        try await handled("s", by: second) { try await second.start() }
        #expect(second.recentNotices.contains { $0.kind == .daemonUnreachable })
        await second.shutdown()
    }

    @Test("a handler that still waits is called at the latest by the shutdown")
    func shutdown() async throws {
        let scheduler = try stage.open()
        try await handled("s", by: scheduler) { await scheduler.shutdown() }
    }
}
