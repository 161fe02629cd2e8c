import BackgroundWork
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// Downloads over several connections.
@Suite(.serialized, .fewAtATime)
struct DownloadPartsTests {
    private static let content = Workplace.content(bytes: 4 << 20)

    private func place(_ resource: Resource = .bytes(content, entityTag: "\"v1\"")) throws -> Workplace {
        let place = try Workplace()
        place.server.serve(resource, at: "/file")
        return place
    }

    @Test("a fixed number of parts covers the file once", arguments: [2, 4, 8])
    func fixed(count: Int) async throws {
        let place = try place()
        place.server.setBehaviour(.throttle(bytesPerSecond: 8 << 20), for: "/file")
        let event = try await place.run(try place.request { $0.connections = .fixed(count) })
        #expect(event?.success == true, "\(event?.message ?? "")\n\(place.logs)")
        #expect(place.hasSaved(Self.content))
        #expect(place.server.requests.count >= count, "\(place.rangeStarts())")
        #expect(place.leftovers.isEmpty)
    }

    @Test("a server that says it takes ranges and then does not is read over one connection")
    func rangesIgnored() async throws {
        let place = try place()
        place.server.setBehaviours(
            [.with { $0.bytesPerSecond = 8 << 20 }, .ignoreRanges], for: "/file")
        let event = try await place.run(try place.request { $0.connections = .fixed(4) })
        #expect(event?.success == true, "\(event?.message ?? "")\n\(place.logs)")
        #expect(place.hasSaved(Self.content))
    }

    @Test("a server that does not say that it takes ranges is not asked for any")
    func noAcceptRanges() async throws {
        let place = try place()
        place.server.setBehaviour(.hide("Accept-Ranges"), for: "/file")
        let event = try await place.run(try place.request { $0.connections = .fixed(4) })
        #expect(event?.success == true)
        #expect(place.server.requests.count == 1)
    }

    @Test("an entity that changes between two parts makes the whole start again")
    func changesBetweenParts() async throws {
        let place = try place()
        let fresh = Array(Self.content.reversed())
        place.server.setBehaviours(
            [.with { $0.bytesPerSecond = 8 << 20 }, .replace(with: .bytes(fresh, entityTag: "\"v2\"")), .correct],
            for: "/file")
        let event = try await place.run(try place.request { $0.connections = .fixed(3) })
        #expect(event?.success == true, "\(event?.message ?? "")\n\(place.logs)")
        #expect(place.hasSaved(fresh))
    }

    @Test("interrupted parts are resumed by the same agent, each from its own mark")
    func partsBreak() async throws {
        let place = try place()
        place.server.setBehaviours(
            [
                .with {
                    $0.bytesPerSecond = 8 << 20; $0.closesAfter = 700_000
                }, .closeAfter(bytes: 300_000),
                .resetAfter(bytes: 100_000), .closeAfter(bytes: 0), .correct,
            ], for: "/file")
        let event = try await place.run(try place.request { $0.connections = .fixed(4) })
        #expect(event?.success == true, "\(event?.message ?? "")\n\(place.logs)")
        #expect(place.hasSaved(Self.content))
    }

    @Test("an agent that dies in the midst of parts loses nothing of any of them", arguments: [false, true])
    func agentDies(rebooted: Bool) async throws {
        let place = try place()
        place.server.setBehaviours(
            Array(repeating: .holdAfter(bytes: 200_000), count: 4) + [.correct], for: "/file")
        let scheduler = try place.scheduler()
        let stream = scheduler.eventBus.events
        let progress = scheduler.backgroundSessions.progress
        try await scheduler.start()
        try await scheduler.enqueue(try place.request { $0.connections = .fixed(4) }, id: "d")
        // What the server has sent may still lie in the sockets; the agent has all that is held back after.
        _ = await progress.first { $0.bytes >= 4 * 200_000 }
        let before = place.server.requests.count
        if rebooted {
            await scheduler.shutdown()
            try await place.killAgents()
            try place.pretendReboot()
        } else {
            try await place.killAgents()
        }
        var events = stream.makeAsyncIterator()
        var successor: WorkScheduler?
        if rebooted {
            let next = try place.scheduler()
            events = next.eventBus.events.makeAsyncIterator()
            try await next.start()
            successor = next
        }
        place.server.release("/file")
        #expect(await events.next()?.success == true, "\(place.logs)")
        #expect(place.hasSaved(Self.content))
        let after = place.server.requests.dropFirst(before)
        if !rebooted {
            // No part is asked for from its beginning again.
            let starts = Set(place.server.requests.prefix(before).map { $0.range?.start ?? 0 })
            #expect(after.allSatisfy { !starts.contains($0.range?.start ?? 0) }, "\(place.rangeStarts())")
        }
        await successor?.shutdown()
        await scheduler.shutdown()
    }

    @Test("a file that long takes connections one after the other while they help")
    func adaptive() async throws {
        let place = try place(.generated(bytes: 40 << 20))
        place.server.setBehaviour(.throttle(bytesPerSecond: 3 << 20), for: "/file")
        let event = try await place.run(try place.request { $0.connections = .adaptive(upTo: 3) })
        #expect(event?.success == true, "\(event?.message ?? "")\n\(place.logs)")
        #expect(place.server.requests.count > 1)
    }

    @Test(
        "parts that cannot be recorded are not used: no file with gaps counts as complete", arguments: [ENOSPC, EMFILE])
    func unrecorded(code: Int32) async throws {
        let place = try place()
        try place.stopNextAgent(at: .failing("rename", ".marks", errno: code))
        // Were there parts, the second connection would end with an error, and the next attempt begin all that are left.
        place.server.setBehaviours(
            [
                .throttle(bytesPerSecond: 8 << 20), .closeAfter(bytes: 200_000), .holdAfter(bytes: 500_000),
                .holdAfter(bytes: 500_000), .holdAfter(bytes: 100_000), .correct,
            ], for: "/file")
        let scheduler = try place.scheduler()
        let stream = scheduler.eventBus.events
        try await scheduler.start()
        try await scheduler.enqueue(try place.request { $0.connections = .fixed(4) }, id: "d")
        let ends = Recorder<TaskCompletionEvent>()
        let reading = Task { for await event in stream { ends.add(event) } }
        try await place.wait(for: "the file or its parts") {
            !ends.values.isEmpty || place.server.requests.count == 5
        }
        if ends.values.isEmpty {
            _ = await scheduler.backgroundSessions.progress.first { $0.bytes >= 2_100_000 }
            try await place.killAgents()
            place.server.release("/file")
        }
        try await place.wait(for: "the file") { !ends.values.isEmpty }
        #expect(ends.values.first?.success == true, "\(place.logs)")
        #expect(place.hasSaved(Self.content))
        reading.cancel()
        await scheduler.shutdown()
    }

    @Test("a server that takes no ranges after all may say so just as a part ends", arguments: 0..<12)
    func rangesIgnoredAtAnEnd(round: Int) async throws {
        let place = try place()
        // The first connection is past the end of its part when both continue.
        place.server.setBehaviours(
            [
                .with {
                    $0.pieceBytes = 256 << 10; $0.holdsAfter = 2 << 20
                },
                .with {
                    $0.ignoresRanges = true; $0.holdsAfter = 0
                }, .ignoreRanges,
            ], for: "/file")
        let scheduler = try place.scheduler()
        var events = scheduler.eventBus.events.makeAsyncIterator()
        try await scheduler.start()
        try await scheduler.enqueue(try place.request { $0.connections = .fixed(2) }, id: "d")
        try await place.wait(for: "both connections") { place.server.requests.count == 2 }
        place.server.release("/file")
        #expect(await events.next()?.success == true, "\(place.logs)")
        #expect(place.hasSaved(Self.content))
        await scheduler.shutdown()
    }
}
