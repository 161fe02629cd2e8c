import BackgroundWorkTesting
import Foundation
import Testing

/// A program that downloads without a scheduler dies at each row of the table in Docs/standalone-transfers.md, and the next
/// one gets its file.
@Suite(.serialized, .fewAtATime)
struct StandaloneDeathTests {
    static let content = HostDeathTests.content

    /// What is written before the death, and how often the file is asked for in all.
    static let rows: [(row: String, point: KillPoint, requests: Int)] = [
        ("1: recorded, nothing reserved", .at(.before, "send", "\"reserve\""), 1),
        ("2: reserved, no entry", .at(.before, "rename", "bg_url_session_state.json"), 1),
        ("3: entry written, not started", .at(.before, "send", "\"resume\""), 1),
        ("4: started", .at(.after, "send", "\"resume\""), 1),
        ("6: finishing committed, not in place", .at(.before, "rename", "downloads/file.bin"), 1),
        ("7: in place, not committed", .at(.after, "rename", "downloads/file.bin"), 1),
        ("8: ended, not acknowledged", .at(.before, "send", "\"acknowledge\""), 1),
        ("9: acknowledged, not told", .at(.after, "send", "\"acknowledge\""), 1),
    ]

    @Test("the program is killed, and the next one continues from there", arguments: rows.indices)
    func row(index: Int) async throws {
        let (row, point, requests) = Self.rows[index]
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        let first = try place.startDirectHost(stoppingAt: point)
        #expect(await first.nextChange() == .stopped, "\(row) was not reached\n\(place.logs)")
        await first.killAndWait()
        let second = try place.startDirectHost()
        #expect(await second.nextChange() == .exited(0), "\(row)\n\(place.logs)")
        try await place.wait(for: "the agent to forget the transfer") { place.journal.isEmpty }
        expectSaved(place, requests: requests...requests, row)
    }

    @Test("killed while the transfer is in progress, the program waits for the same one at its next launch")
    func underWay() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        place.server.setBehaviour(.holdAfter(bytes: 20_000), for: "/file")
        let first = try place.startDirectHost()
        try await place.wait(for: "the transfer") { place.stagedBytes ?? 0 > 0 }
        await first.killAndWait()
        let second = try place.startDirectHost()
        place.server.release("/file")
        #expect(await second.nextChange() == .exited(0), "\(place.logs)")
        expectSaved(place, requests: 1...1)
    }

    @Test("the result of a transfer that ended while no program ran is returned at the next launch, without a request")
    func endedAlone() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        place.server.setBehaviour(.holdAfter(bytes: 20_000), for: "/file")
        let first = try place.startDirectHost()
        try await place.wait(for: "the transfer") { place.stagedBytes ?? 0 > 0 }
        await first.killAndWait()
        place.server.release("/file")
        try await place.wait(for: "the outcome in the journal") { place.journal == ["finished"] }
        let second = try place.startDirectHost()
        #expect(await second.nextChange() == .exited(0), "\(place.logs)")
        expectSaved(place, requests: 1...1)
    }

    @Test("killed before every single call that it makes durable with, the program loses nothing")
    func everyCall() async throws {
        var number = 0
        while true {
            number += 1
            let place = try Workplace()
            place.server.serve(.bytes(Self.content), at: "/file")
            let first = try place.startDirectHost(stoppingAt: .call(number))
            let change = await first.nextChange()
            if change != .stopped {
                #expect(change == .exited(0), "\(place.logs)")
                break
            }
            let stop = place.lines(of: place.killLog).last ?? ""
            await first.killAndWait()
            let wasToldAll = place.standaloneRecord.isEmpty && place.hasSaved(Self.content)
            let second = try place.startDirectHost()
            #expect(await second.nextChange() == .exited(0), "call \(number): \(stop)\n\(place.logs)")
            try await place.wait(for: "the agent to forget the transfer") { place.journal.isEmpty }
            // Once the record is deleted the result has been delivered, and the next call is for another download.
            expectSaved(place, requests: wasToldAll ? 2...2 : 1...1, "call \(number): \(stop)")
            try await place.killAgents()
        }
        #expect(number > 15)
    }

    private func expectSaved(
        _ place: Workplace, requests: ClosedRange<Int>, _ row: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let context: Comment = "\(row)\n\(place.logs)"
        #expect(place.hasSaved(Self.content), context, sourceLocation: sourceLocation)
        let saved = "saved \(place.savePath) \(Self.content.count)"
        #expect(place.lines(of: place.hostLog).last == saved, context, sourceLocation: sourceLocation)
        #expect(requests.contains(place.server.requests.count), context, sourceLocation: sourceLocation)
        #expect(place.standaloneRecord.isEmpty, context, sourceLocation: sourceLocation)
        #expect(place.stateEntries == 0, context, sourceLocation: sourceLocation)
        #expect(place.leftovers.isEmpty, context, sourceLocation: sourceLocation)
    }
}
