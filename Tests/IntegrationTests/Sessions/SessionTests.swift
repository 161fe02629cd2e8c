import BackgroundWork
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// What a host sees of its transfers, with the real agent.
@Suite(.serialized, .fewAtATime)
struct SessionTests {
    static let content = (0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 7) }
    static let held: Int64 = 3_000_000

    private func place() throws -> Workplace {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        place.server.setBehaviour(.holdAfter(bytes: Self.held), for: "/file")
        return place
    }

    /// Hands a download off over one connection, and returns when the agent has all that the server gives for now.
    private func begin(on scheduler: WorkScheduler, in place: Workplace) async throws {
        var download = DownloadConfiguration(url: place.server.url("/file"), savePath: place.savePath)
        download.sessionIdentifier = "films"
        download.connections = .fixed(1)
        let progress = scheduler.backgroundSessions.progress
        try await scheduler.backgroundSessions.enqueueDownload(configuration: download, id: "film")
        for await report in progress where report.bytes >= Self.held { break }
    }

    @Test("a download that is paused stays so over the host's restart, and is resumed without fetching it twice")
    func pause() async throws {
        let place = try place()
        let first = try place.scheduler()
        try await first.start()
        try await begin(on: first, in: place)
        #expect(try await first.backgroundSessions.pause(id: "film") == .paused)
        await first.shutdown()
        place.server.setBehaviour(.correct, for: "/file")
        place.server.release("/file")
        let second = try place.scheduler()
        let events = second.eventBus.events
        try await second.start()
        let info = try #require(try await second.backgroundSessions.transfers().first)
        #expect(info.phase == .paused)
        #expect(info.bytes == Self.held)
        #expect(place.server.requests.count == 1)
        #expect(try await second.backgroundSessions.resume(id: "film") == .resumed)
        let event = await events.first { _ in true }
        #expect(event?.outcome == .succeeded, "\(event?.message ?? "")\n\(place.logs)")
        #expect(place.hasSaved(Self.content))
        #expect(place.server.requests.count == 2)
        #expect(place.server.requests.last?.range?.start == Self.held)
        #expect(place.server.requests.last?.bodyBytes == Int64(Self.content.count) - Self.held)
        await second.shutdown()
    }

    @Test("the agent's death does not end a pause")
    func agentDeath() async throws {
        let place = try place()
        let scheduler = try place.scheduler()
        let events = scheduler.eventBus.events
        try await scheduler.start()
        try await begin(on: scheduler, in: place)
        #expect(try await scheduler.backgroundSessions.pause(id: "film") == .paused)
        try await place.killAgents()
        place.server.setBehaviour(.correct, for: "/file")
        #expect(try await scheduler.backgroundSessions.transfers().map(\.phase) == [.paused])
        #expect(try await scheduler.backgroundSessions.resume(id: "film") == .resumed)
        let event = await events.first { _ in true }
        #expect(event?.outcome == .succeeded, "\(event?.message ?? "")\n\(place.logs)")
        #expect(place.hasSaved(Self.content))
        #expect(place.server.requests.last?.range?.start == Self.held)
        await scheduler.shutdown()
    }

    @Test("the next host has the progress at once with its connection")
    func progress() async throws {
        let place = try place()
        let first = try place.scheduler()
        try await first.start()
        try await begin(on: first, in: place)
        await first.shutdown()
        let second = try place.scheduler()
        try await second.start()
        // No byte moves meanwhile, so this was reported with the connection.
        let report = await second.backgroundSessions.progress.first { _ in true }
        #expect(report?.workID == "film")
        #expect(report?.bytes == Self.held)
        #expect(report?.totalBytes == Int64(Self.content.count))
        let event = await second.eventBus.progress.first { _ in true }
        #expect(event?.progress.fraction == 0.75)
        #expect(event?.progress.message?.hasPrefix("3.0 of 4.0 MB") == true, "\(event?.progress.message ?? "")")
        await second.shutdown()
    }

    @Test(
        "a handler given at launch is called when the agent's waiting outcomes are processed; others are not delayed"
    )
    func handlers() async throws {
        let place = try place()
        let first = try place.scheduler()
        try await first.start()
        try await begin(on: first, in: place)
        await first.shutdown()
        place.server.release("/file")
        try await place.wait(for: "the outcome") { place.journal == ["finished"] }
        let second = try place.scheduler()
        let (films, others) = (Latch(), Latch())
        await MainActor.run {
            second.backgroundSessions.handleEvents(forBackgroundURLSession: "films") { films.open() }
            second.backgroundSessions.handleEvents(forBackgroundURLSession: "others") { others.open() }
        }
        try await second.start()
        await others.wait()
        await films.wait()
        #expect(place.hasSaved(Self.content))
        #expect(place.events.map(\.outcome) == ["succeeded"])
        #expect(place.journal.isEmpty)
        #expect(place.stateEntries == 0)
        await second.shutdown()
    }

    @Test("the limits of the configuration reach the agent")
    func limits() async throws {
        let place = try place()
        let scheduler = try place.scheduler { $0.transferLimits.perHost = 1 }
        try await scheduler.start()
        try await begin(on: scheduler, in: place)
        let second = DownloadConfiguration(url: place.server.url("/file"), savePath: place.savePath + "2")
        try await scheduler.backgroundSessions.enqueueDownload(configuration: second, id: "second")
        let report = await scheduler.backgroundSessions.progress.first { $0.workID == "second" }
        #expect(report?.phase == .waiting(.slot))
        #expect(place.server.requests.count == 1)
        await scheduler.shutdown()
    }

    @Test("an entry that was lost with its file is written again from what the agent knows", arguments: [true, false])
    func rebuilt(agentLives: Bool) async throws {
        let place = try place()
        let first = try place.scheduler()
        try await first.start()
        try await begin(on: first, in: place)
        #expect(try await first.backgroundSessions.pause(id: "film") == .paused)
        await first.shutdown()
        if !agentLives { try await place.killAgents() }
        try FileManager.default.removeItem(atPath: place.stateFile)
        let second = try place.scheduler()
        let events = second.eventBus.events
        try await second.start()
        #expect(second.backgroundSessions.reconciliations.last?.entriesRebuilt.map(\.workID) == ["film"])
        #expect(place.stateEntries == 1)
        place.server.setBehaviour(.correct, for: "/file")
        #expect(try await second.backgroundSessions.resume(id: "film") == .resumed)
        #expect(await events.first { _ in true }?.outcome == .succeeded)
        try await place.wait(for: "the entry to go") { place.stateEntries == 0 }
        await second.shutdown()
    }
}
