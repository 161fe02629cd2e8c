import BackgroundWorkModel
import BackgroundWorkTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import BackgroundWorkSockets

/// A socket over a scripted system, and its events as lines.
struct ReconnectingPlace {
    let system: ScriptedSystem
    let socket: ReconnectingWebSocket
    let lines = Recorder<String>()
    let reader: Task<Void, Never>

    init(
        _ clock: ManualClock, url: String = "ws://127.0.0.1:9/a",
        _ change: (inout ReconnectingWebSocket.Configuration) -> Void = { _ in },
        prepare: @escaping @Sendable (WebSocketRequest) async throws -> WebSocketRequest = { $0 },
        opening: @escaping @Sendable (Int) -> ScriptedSystem.Opening = { _ in .open(subprotocol: nil) }
    ) {
        var configuration = ReconnectingWebSocket.Configuration()
        configuration.clock = clock
        configuration.random = { 0.5 }
        configuration.pingInterval = nil
        change(&configuration)
        system = ScriptedSystem(opening)
        var transport = WebSocketTransport.Configuration.local(clock)
        transport.securityPolicy = .unrestricted
        socket = ReconnectingWebSocket(
            WebSocketRequest(url), transport: WebSocketTransport(transport, SessionEngine(system)),
            configuration: configuration, prepare: prepare)
        reader = Task { [socket, lines] in
            for await event in socket.events { lines.add(Self.line(event)) }
            lines.add("end")
        }
    }

    /// One that has sent a ping, which is not answered; a ping may take 10 s.
    static func awaitingPong(_ clock: ManualClock) async -> ReconnectingPlace {
        let place = ReconnectingPlace(clock) { configuration in
            configuration.pingInterval = .seconds(30)
            configuration.pingTimeout = .seconds(10)
        }
        place.system.server.answersPings.store(false, ordering: .relaxed)
        await place.lines.wait { $0 == ["connected"] }
        await clock.untilSleeping(atLeast: 1)
        clock.advance(by: .seconds(30))
        await place.system.server.pings.wait { $0.count == 1 }
        return place
    }

    static func line(_ event: WebSocketEvent) -> String {
        switch event {
        case .connected: "connected"
        case .text(let text): text
        case .data(let data): "\(data.count) bytes"
        case .disconnected(let code, let reason): "disconnected \(code) \(reason)"
        case .error(let error): "error \((error as? WebSocketError).map { $0.kind.rawValue } ?? "\(error)")"
        }
    }

    func end() async { _ = await reader.value }

    /// Returns when it sleeps before the next attempt, and for how long.
    func waits(_ clock: ManualClock) async -> Duration? {
        for await status in socket.statuses {
            guard let delay = status.retryDelay else { continue }
            // The time limits of attempts have ended with them.
            await clock.untilSleeping(atLeast: 1)
            return delay
        }
        return nil
    }

    /// Lets the wait before the next attempt pass, which has to be that long.
    func pass(_ duration: Duration, _ clock: ManualClock) async {
        #expect(await waits(clock) == duration)
        clock.advance(by: duration)
    }
}
