import BackgroundWorkSessionTesting
import BackgroundWorkTesting
import Foundation
import Testing

/// Apps that are killed, and a simulated daemon that goes on.
@Suite(.serialized, .fewAtATime)
struct SimulatedSessionTests {
    static let content = HostDeathTests.content
    static let session = SessionPlace.session

    @Test("a download ends while its app is dead, and the app that is launched for it reports it once")
    func relaunch() async throws {
        let stage = try SessionPlace()
        let place = stage.place
        place.server.serve(.bytes(Self.content), at: "/file")
        place.server.setBehaviour(.holdAfter(bytes: 20_000), for: "/file")
        let first = try stage.startDownload()
        try await place.wait(for: "the hand-off") { place.state(of: "file") == 3 }
        await stage.daemon.wait { $0.contains { $0.event == .requested(session: Self.session, task: 1) } }
        await first.killAndWait()
        place.server.release("/file")
        let second = try await stage.nextLaunch()
        #expect(await second.nextChange() == .exited(0), "\(place.logs)")
        #expect(place.hasSaved(Self.content))
        stage.expectFinished()
        await stage.daemon.wait { $0.last?.event == .detached(session: Self.session) }
        var events = await stage.recordsOfLaunch()
        // Called once, when the end of the session's only transfer is stored: maybe before the system says that there is
        // no more, and before it has learned that the delegate has returned.
        let handler = SimulatedURLSessionDaemon.Event.completionHandlerCalled(session: Self.session)
        let call = try #require(events.firstIndex(of: handler))
        #expect(events[..<call].contains(.attached(session: Self.session)))
        events.remove(at: call)
        #expect(
            events == [
                .launched(session: Self.session), .attached(session: Self.session),
                .reported(session: Self.session, task: 1), .finishedEvents(session: Self.session),
                .detached(session: Self.session),
            ])
    }
}
