import BackgroundWork
import BackgroundWorkSystem
import BackgroundWorkTesting
import Foundation
import Testing

/// Cancelling and replacing work whose transfer is in progress, or whose file is just being moved into place.
@Suite(.serialized, .fewAtATime)
struct TransferCancellationTests {
    static let content = HostDeathTests.content

    @Test("cancelling a transfer in progress ends it with the daemon, and cancels the chain")
    func cancelUnderWay() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        place.server.setBehaviour(.holdAfter(bytes: 20_000), for: "/file")
        let scheduler = try place.scheduler()
        try await scheduler.start()
        try await scheduler.beginWith(place.download()).then(TaskRequest(workerClassName: "Effect")).enqueue(id: "c")
        try await place.wait(for: "the hand-off") { place.state(of: "c/0.0") == 3 && place.stagedBytes != nil }
        #expect(try await scheduler.cancel(id: "c") == .cancelled(items: 2))
        try await place.wait(for: "the daemon to forget the transfer") {
            place.journal.isEmpty && place.stateEntries == 0 && place.leftovers.isEmpty
        }
        #expect(place.events.map(\.outcome) == ["cancelled", "cancelled"])
        #expect(!FileManager.default.fileExists(atPath: place.savePath))
        await scheduler.shutdown()
    }

    /// A scheduler with 200 downloads, of which two are in progress and the others wait for a free slot.
    private func queued(_ place: Workplace) async throws -> WorkScheduler {
        place.server.setBehaviour(.holdAfter(bytes: 20_000), for: "/file")
        let scheduler = try place.scheduler {
            $0.transferLimits.overall = 2
            $0.maximumConcurrentWork = 200
        }
        try await scheduler.start()
        try await scheduler.enqueue(
            contentsOf: (0..<200).map { TaskSubmission(try place.download(to: place.savePath + "\($0)"), id: "d\($0)") }
        )
        try await place.wait(for: "all hand-offs") { place.journal.filter { $0 == "active" }.count == 200 }
        await place.server.wait { $0.count == 2 }
        return scheduler
    }

    @Test("queued transfers that are cancelled together are not started one after the other")
    func cancelQueued() async throws {
        let place = try Workplace(serving: Self.content)
        let scheduler = try await queued(place)
        #expect(try await scheduler.cancelAll() == .cancelled(items: 200))
        try await place.wait(for: "the daemon to forget the transfers") { place.journal.isEmpty }
        #expect(place.server.requests.count == 2)
        await scheduler.shutdown()
    }

    @Test("transfers that are cancelled right before a shutdown are gone from the daemon when it has returned")
    func cancelAndShutDown() async throws {
        let place = try Workplace(serving: Self.content)
        let scheduler = try await queued(place)
        #expect(try await scheduler.cancelAll() == .cancelled(items: 200))
        await scheduler.shutdown()
        #expect(place.journal.isEmpty, "\(place.journal.count) are left")
        #expect(place.server.requests.count == 2)
    }

    @Test("a cancellation that finds no daemon is sent at the next start")
    func cancelLater() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        place.server.setBehaviour(.holdAfter(bytes: 20_000), for: "/file")
        let host = try place.startHost()
        try await place.wait(for: "the hand-off") { place.state(of: "c/0.0") == 3 }
        await host.killAndWait()
        let quiet = try place.scheduler()
        #expect(try await quiet.cancel(id: "c") == .cancelled(items: 2))
        await quiet.shutdown()
        let next = try place.scheduler()
        try await next.start()
        try await place.wait(for: "the daemon to forget the transfer") {
            place.journal.isEmpty && place.stateEntries == 0 && place.leftovers.isEmpty
        }
        await next.shutdown()
    }

    @Test("replacing a transfer in progress takes a new generation, and the old file never arrives")
    func replaceUnderWay() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Array(Self.content.reversed())), at: "/old")
        place.server.setBehaviour(.holdAfter(bytes: 20_000), for: "/old")
        place.server.serve(.bytes(Self.content), at: "/file")
        let scheduler = try place.scheduler()
        let stream = scheduler.eventBus.events
        try await scheduler.start()
        try await scheduler.enqueue(place.download("/old"), id: "one")
        try await place.wait(for: "the hand-off") { place.state(of: "one") == 3 }
        try await scheduler.enqueue(place.download(), id: "one", policy: .replace)
        place.server.release("/old")
        var outcomes: [WorkOutcome] = []
        for await event in stream {
            outcomes.append(event.outcome)
            if outcomes.count == 2 { break }
        }
        #expect(outcomes == [.cancelled, .succeeded])
        #expect(place.hasSaved(Self.content))
        try await place.wait(for: "the daemon to forget both") { place.journal.isEmpty && place.stateEntries == 0 }
        #expect(place.leftovers.isEmpty)
        await scheduler.shutdown()
    }

    @Test("while a file is being moved into place, cancel comes too late and replace waits")
    func finishing() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        // The host stops between the commit of `finishing` and the rename into place.
        let host = try place.startHost(stoppingAt: .at(.before, "rename", "downloads/file.bin"))
        #expect(await host.nextChange() == .stopped, "\(place.logs)")
        let scheduler = try place.scheduler()
        #expect(try await scheduler.cancel(id: "c/0.0") == .tooLate)
        #expect(
            try await scheduler.beginWith(place.download()).enqueue(id: "c", policy: .keep)
                == .keptExisting(id: "c"))
        async let replaced = scheduler.beginWith(place.download()).then(TaskRequest(workerClassName: "Effect"))
            .enqueue(id: "c", policy: .replace)
        host.send(SIGCONT)
        #expect(try await replaced == .accepted(id: "c"))
        try await place.wait(for: "the first file's event") {
            place.events.first == .init(workID: "c/0.0", outcome: "succeeded", message: "saved to \(place.savePath)")
        }
        await host.killAndWait()
        await scheduler.shutdown()
    }
}
