import BackgroundWork
import BackgroundWorkTesting
import Testing

/// Whether another scheduler runs on the directory.
struct LivePeerTests {
    var fixture: SchedulerFixture

    init() throws { fixture = try SchedulerFixture() }

    @Test("a scheduler that is started is seen by another one of the directory until it shuts down")
    func peers() async throws {
        let looker = try fixture.open()
        #expect(try await !looker.hasLivePeers())
        let host = try await fixture.start()
        #expect(try await looker.hasLivePeers())
        await host.shutdown()
        #expect(try await !looker.hasLivePeers())
    }
}
