import BackgroundWorkModel
import Foundation
import Synchronization
import TestSupport

@testable import BackgroundWorkSockets

extension EngineUnderTest {
    static let all = [EngineUnderTest(name: "libcurl, sockets") { try CurlPeer($0) }, session]
}

/// Over real sockets.
final class CurlPeer: ConformancePeer {
    /// What is shared with the connection's thread.
    private final class Shared: Sendable {
        let messages = Recorder<WebSocketContent>()
        let closes = Recorder<WebSocketEnding>()
        let pings = Recorder<Int>()
        let connections = Recorder<RawConnection>()
        let answersPings = Atomic(true)
        let answersClose = Atomic(true)

        func serve(_ connection: RawConnection) {
            guard connection.accept(["Sec-WebSocket-Protocol: chat.v2"]) != nil else { return }
            connections.add(connection)
            while let frame = connection.readFrame() {
                switch frame.opcode {
                case 1: messages.add(.text(String(decoding: frame.payload, as: UTF8.self)))
                case 2: messages.add(.data(Data(frame.payload)))
                case 8:
                    let code = frame.payload.prefix(2).reduce(0) { $0 << 8 | Int($1) }
                    let reason = String(decoding: frame.payload.dropFirst(2), as: UTF8.self)
                    closes.add(
                        WebSocketEnding(
                            code: .init(rawValue: code), reason: reason,
                            error: .busy(TransferURL("ws://127.0.0.1/"))))
                    if answersClose.load(ordering: .relaxed) {
                        connection.send(RawConnection.frame(0x88, frame.payload))
                    }
                case 9:
                    if answersPings.load(ordering: .relaxed) {
                        connection.send(RawConnection.frame(0x8a, frame.payload))
                    }
                    pings.add(1)
                default: break
                }
            }
        }
    }

    let transport: WebSocketTransport
    private let shared = Shared()
    private let server: RawServer

    init(_ clock: any WorkClock) throws {
        transport = WebSocketTransport(configuration: .local(clock))
        server = try RawServer { [shared] in shared.serve($0) }
    }

    var url: String { server.url }
    var messages: Recorder<WebSocketContent> { shared.messages }
    var closes: Recorder<WebSocketEnding> { shared.closes }
    var pings: Recorder<Int> { shared.pings }

    func prepare(answersPings: Bool, answersClose: Bool) {
        shared.answersPings.store(answersPings, ordering: .relaxed)
        shared.answersClose.store(answersClose, ordering: .relaxed)
    }

    private func connection() async -> RawConnection {
        await shared.connections.wait { !$0.isEmpty }
        return shared.connections.values[0]
    }

    func send(_ content: WebSocketContent) async {
        switch content {
        case .text(let text): await connection().send(RawConnection.frame(0x81, Array(text.utf8)))
        case .data(let data): await connection().send(RawConnection.frame(0x82, Array(data)))
        }
    }

    func close(_ code: Int, _ reason: String) async {
        await connection().send(
            RawConnection.frame(0x88, FrameWriter.closePayload(.init(rawValue: code), reason)))
    }

    func drop() async { await connection().end() }
}
