import BackgroundWork
import BackgroundWorkTesting
import Foundation
import Testing

/// What servers do wrong, and how the failure reads.
@Suite(.serialized, .fewAtATime)
struct ServerFaultTests {
    static let content = HostDeathTests.content

    private func place(_ behaviour: Behaviour) throws -> Workplace {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        place.server.setBehaviour(behaviour, for: "/file")
        return place
    }

    private func expectNothingLeft(_ place: Workplace) async throws {
        try await place.wait(for: "the daemon to forget the transfer") {
            place.journal.isEmpty && place.stateEntries == 0 && place.leftovers.isEmpty
        }
    }

    @Test("404 is a failure at once, and names the URL without its query")
    func notFound() async throws {
        let place = try place(.status(404))
        let event = try await place.run(try place.download("/file?token=secret", attempts: 5))
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains("404") == true)
        #expect(event?.message?.contains(place.server.url("/file")) == true)
        #expect(event?.message?.contains("secret") == false)
        #expect(place.server.requests.count == 1)
        try await expectNothingLeft(place)
    }

    @Test("500 is tried again under the policy, and then fails with the status")
    func serverError() async throws {
        let place = try place(.status(500))
        let event = try await place.run(try place.download(attempts: 3))
        #expect(event?.outcome == .failed)
        #expect(event?.attempt == 3)
        #expect(event?.message?.contains("500") == true)
        #expect(place.server.requests.count == 3)
        try await expectNothingLeft(place)
    }

    @Test("a server that recovers leads to a success")
    func recovery() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        place.server.setBehaviours([.status(503), .closeAfter(bytes: 100), .correct], for: "/file")
        let event = try await place.run(try place.download(attempts: 5))
        #expect(event?.success == true, "\(event?.message ?? "") \(place.logs)")
        #expect(event?.attempt == 3)
        #expect(place.hasSaved(Self.content))
        try await expectNothingLeft(place)
    }

    @Test("a server that answers nothing fails by the stall timeout")
    func silence() async throws {
        let place = try place(.silence)
        let event = try await place.run(try place.download(timeoutMs: 1_000))
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains(place.server.url("/file")) == true)
        try await expectNothingLeft(place)
    }

    @Test("no server listens at the address")
    func refusedConnection() async throws {
        let place = try Workplace()
        let url = place.server.url("/file")
        place.server.stop()
        let event = try await place.run(try place.download(url: url))
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains(url) == true)
        try await expectNothingLeft(place)
    }

    @Test("fewer bytes than promised fail with both numbers")
    func truncated() async throws {
        let place = try place(.promise(extraBytes: 77))
        let event = try await place.run(try place.download())
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains("50000") == true, "\(event?.message ?? "")")
        #expect(event?.message?.contains("50077") == true, "\(event?.message ?? "")")
        #expect(!FileManager.default.fileExists(atPath: place.savePath))
        try await expectNothingLeft(place)
    }

    @Test("a connection closed in the middle of the body is not a success")
    func closedMidBody() async throws {
        let place = try place(.closeAfter(bytes: 12_345))
        let event = try await place.run(try place.download())
        #expect(event?.outcome == .failed)
        #expect(!FileManager.default.fileExists(atPath: place.savePath))
        try await expectNothingLeft(place)
    }

    @Test("a body without a length ends with its connection, and is whole")
    func withoutLength() async throws {
        let place = try place(.withoutLength)
        let event = try await place.run(try place.download())
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(place.hasSaved(Self.content))
        try await expectNothingLeft(place)
    }

    @Test("redirects are followed, and their bodies are not the file")
    func redirect() async throws {
        let place = try place(.correct)
        place.server.setBehaviour(.redirect(to: place.server.url("/file")), for: "/old")
        let event = try await place.run(try place.download("/old"))
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(place.hasSaved(Self.content))
        try await expectNothingLeft(place)
    }

    @Test("an endless redirect is a failure")
    func redirectLoop() async throws {
        let place = try Workplace()
        place.server.setBehaviour(.redirect(to: place.server.url("/file")), for: "/file")
        let event = try await place.run(try place.download())
        #expect(event?.outcome == .failed)
        #expect(event?.message?.lowercased().contains("redirect") == true, "\(event?.message ?? "")")
        try await expectNothingLeft(place)
    }

    @Test("a server that ignores ranges makes a resumed transfer start again")
    func ignoredRange() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        place.server.setBehaviours([.holdAfter(bytes: 20_000), .ignoreRanges], for: "/file")
        let host = try place.startHost()
        try await place.wait(for: "a part of the file") { (place.stagedBytes ?? 0) >= 20_000 }
        try await place.killAgents()
        #expect(await host.nextChange() == .exited(0), "\(place.logs)")
        try await place.wait(for: "the agent to forget the transfer") { place.journal.isEmpty }
        place.expectFinished(content: Self.content, requests: 2...2)
    }
}
