import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkSockets

/// Pings whose answers wait behind messages that nobody has read yet.
@Suite("A WebSocket whose reader takes long")
struct SlowReaderTests {
    private let clock = ManualClock()

    @Test("it keeps its connection, and gets all messages")
    func slowReader() async throws {
        let pings = Recorder<Int>()
        let server = try RawServer { connection in
            guard connection.accept() != nil else { return }
            for number in 0..<100 { connection.send(RawConnection.frame(0x81, Array("\(number)".utf8))) }
            while let frame = connection.readFrame() {
                if frame.opcode == 8 { connection.send(RawConnection.frame(0x88, frame.payload)) }
                guard frame.opcode == 9 else { continue }
                connection.send(RawConnection.frame(0x8a, frame.payload))
                pings.add(1)
            }
        }
        var configuration = ReconnectingWebSocket.Configuration()
        configuration.clock = clock
        configuration.pingInterval = .seconds(30)
        let socket = ReconnectingWebSocket(
            WebSocketRequest(server.url), transport: WebSocketTransport(configuration: .local(clock)),
            configuration: configuration)
        for await status in socket.statuses where status.state == .connected { break }
        await clock.untilSleeping(atLeast: 1)
        clock.advance(by: .seconds(30))
        await pings.wait { $0.count == 1 }
        // Nobody has read: the answer is behind what the socket has no room for.
        for _ in 0..<10 {
            await clock.untilSleeping(atLeast: 1)
            clock.advance(by: .seconds(10))
        }
        var lines: [String] = []
        for await event in socket.events {
            lines.append(ReconnectingPlace.line(event))
            if lines.count == 101 { break }
        }
        #expect(lines == ["connected"] + (0..<100).map(String.init))
        await socket.close()
    }
}
