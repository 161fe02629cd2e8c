import BackgroundWork
import BackgroundWorkModel
import BackgroundWorkTesting
import BackgroundWorkTransfers
import Foundation
import Testing

/// One connection for many files of one host.
@Suite(.serialized, .fewAtATime)
struct ConnectionReuseTests {
    @Test("files that follow each other come over one connection")
    func oneAfterTheOther() async throws {
        let place = try Workplace()
        var limits = TransferLimits()
        limits.perHost = 1
        for number in 0..<40 { place.server.serve(.bytes([UInt8](repeating: 7, count: 1000)), at: "/\(number)") }
        let client = AgentClient(place, limits: limits)
        await client.listen()
        for number in 0..<40 { try await client.download("d\(number)", "/\(number)") }
        for number in 0..<40 { #expect(try await client.outcome("d\(number)").isSuccess) }
        #expect(Set(place.server.requests.map(\.connection)).count == 1)
        #expect(place.server.requests.count == 40)
        await client.service.disconnect()
    }

    @Test("a connection that the server has closed meanwhile costs no attempt")
    func closedMeanwhile() async throws {
        let place = try Workplace()
        var limits = TransferLimits()
        limits.perHost = 1
        place.server.serve(.bytes(HostDeathTests.content), at: "/file")
        place.server.setBehaviour(.closeAfterAnswer, for: "/file")
        let client = AgentClient(place, limits: limits)
        await client.listen()
        for number in 0..<10 { try await client.download("d\(number)") }
        for number in 0..<10 { #expect(try await client.outcome("d\(number)").isSuccess) }
        #expect(client.outcomes.allSatisfy { $0.details?.requests == 1 })
        await client.service.disconnect()
    }

    @Test("a connection of a transfer that may go anywhere is not used by one that may not")
    func policies() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(HostDeathTests.content), at: "/file")
        let client = AgentClient(place)
        await client.listen()
        try await client.download("free")
        #expect(try await client.outcome("free").isSuccess)
        try await client.download("bound") { $0.securityPolicy = .publicInternet }
        let failure = try await client.outcome("bound").failure
        #expect(failure?.kind == .refused)
        #expect(failure?.message.contains("127.0.0.1") == true, "\(failure?.message ?? "")")
        #expect(place.server.requests.count == 1)
        try await client.download("free again")
        #expect(try await client.outcome("free again").isSuccess)
        #expect(place.server.requests.count == 2)
        await client.service.disconnect()
    }
}
