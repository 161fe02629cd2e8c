import BackgroundWorkModel
import BackgroundWorkTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import BackgroundWorkSockets

/// A server for one connection, that a test plays, behind an engine.
protocol ConformancePeer: AnyObject, Sendable {
    var transport: WebSocketTransport { get }
    var url: String { get }
    /// What the client has sent.
    var messages: Recorder<WebSocketContent> { get }
    /// Its close frames.
    var closes: Recorder<WebSocketEnding> { get }
    var pings: Recorder<Int> { get }

    /// Before the connection is made.
    func prepare(answersPings: Bool, answersClose: Bool)
    func send(_ content: WebSocketContent) async
    func close(_ code: Int, _ reason: String) async
    func drop() async
}

/// Which engine a test runs over.
struct EngineUnderTest: Sendable, CustomTestStringConvertible {
    let name: String
    let make: @Sendable (any WorkClock) throws -> any ConformancePeer

    var testDescription: String { name }

    static let session = EngineUnderTest(name: "URL session, scripted") { SessionPeer($0) }
}

extension WebSocketTransport.Configuration {
    /// For servers of this machine.
    static func local(_ clock: any WorkClock) -> WebSocketTransport.Configuration {
        var configuration = WebSocketTransport.Configuration()
        configuration.securityPolicy.allowsLoopback = true
        configuration.clock = clock
        return configuration
    }
}

/// Over scripted tasks.
final class SessionPeer: ConformancePeer {
    let transport: WebSocketTransport
    let url = "ws://127.0.0.1:9/a"
    private let system = ScriptedSystem { _ in .open(subprotocol: "chat.v2") }

    init(_ clock: any WorkClock) { transport = WebSocketTransport(.local(clock), SessionEngine(system)) }

    var messages: Recorder<WebSocketContent> { system.server.messages }
    var closes: Recorder<WebSocketEnding> { system.server.closes }
    var pings: Recorder<Int> { system.server.pings }

    func prepare(answersPings: Bool, answersClose: Bool) {
        system.server.answersPings.store(answersPings, ordering: .relaxed)
        system.server.answersClose.store(answersClose, ordering: .relaxed)
    }

    func send(_ content: WebSocketContent) async { await system.task(1).deliver(content) }
    func close(_ code: Int, _ reason: String) async { await system.task(1).closeByPeer(code, reason) }
    func drop() async { await system.task(1).drop() }
}
