import BackgroundWorkModel
import BackgroundWorkTransfers
import Foundation
import Testing

/// What a scheduler may rely on, whatever daemon it has.
@Suite(.serialized, .fewAtATime)
struct TransferServiceTests {
    typealias Stage = DaemonStage

    @Test("a reference gets one task identifier, and another one another", arguments: DaemonKind.allCases)
    func identifiers(_ kind: DaemonKind) async throws {
        let stage = try Stage(kind)
        let client = try stage.client()
        let first = try await client.reserve(stage.specification("a"))
        #expect(try await client.reserve(stage.specification("a")) == first)
        #expect(try await client.reserve(stage.specification("b")) != first)
        let known = try await client.transfers()
        #expect(known.map(\.reference) == [Stage.reference("a"), Stage.reference("b")])
        #expect(known.map(\.state) == [.reserved, .reserved])
        #expect(known.map(\.phase) == [.waiting(.host), .waiting(.host)])
        #expect(known.first?.taskIdentifier == first)
        #expect(known.first?.sessionIdentifier == "s")
        #expect(known.first?.group == "group")
        #expect(known.first?.savePath == stage.place.folder.path + "/a")
        await client.disconnect()
    }

    @Test("a transfer in progress is not reserved again with another specification", arguments: DaemonKind.allCases)
    func conflict(_ kind: DaemonKind) async throws {
        let stage = try Stage(kind)
        let client = try stage.client()
        var changed = stage.specification("a")
        changed.savePath += "-elsewhere"
        let task = try await client.reserve(stage.specification("a"))
        #expect(try await client.reserve(changed) == task)
        try await client.resume(Stage.reference("a"))
        let failure = await #expect(throws: AgentFailure.self) { try await client.reserve(stage.specification("a")) }
        #expect(failure?.code == .conflict)
        await client.disconnect()
    }

    @Test(
        "a transfer that was never reserved is not started; other requests about it are allowed",
        arguments: DaemonKind.allCases)
    func unknown(_ kind: DaemonKind) async throws {
        let stage = try Stage(kind)
        let client = try stage.client()
        let failure = await #expect(throws: AgentFailure.self) { try await client.resume(Stage.reference("a")) }
        #expect(failure?.code == .unknownTransfer)
        try await client.cancel(Stage.reference("a"))
        try await client.acknowledge(Stage.reference("a"))
        try await client.setPaused(Stage.reference("a"), true)
        #expect(try await client.transfers().isEmpty)
        await client.disconnect()
    }

    @Test(
        "an outcome comes to each connection until it is acknowledged, and then no more", arguments: DaemonKind.allCases
    )
    func outcomes(_ kind: DaemonKind) async throws {
        let stage = try Stage(kind)
        let (first, second, third) = (RecordingReceiver(), RecordingReceiver(), RecordingReceiver())
        var client = try stage.client()
        await client.receive(with: first, immediately: true)
        try await stage.begin("a", with: client)
        try await client.resume(Stage.reference("a"))
        try stage.finish("a")
        await first.untilOutcome(of: "a")
        #expect(first.outcomes.count == 1)
        await client.disconnect()
        client = try stage.client()
        await client.receive(with: second, immediately: true)
        // Waiting outcomes have been delivered when the call returns.
        #expect(second.outcomes == first.outcomes)
        let outcome = try #require(second.outcomes.first)
        #expect(outcome.savePath == stage.place.folder.path + "/a")
        guard case .delivered(let path, let bytes, 200, _) = outcome.result else {
            Issue.record("\(outcome.result)")
            return
        }
        #expect(bytes == Int64(Stage.content.count))
        #expect(stage.place.hasSaved(Stage.content, at: path))
        #expect(try await client.transfers().map(\.phase) == [.succeeded])
        try await client.acknowledge(Stage.reference("a"))
        try await client.acknowledge(Stage.reference("a"))
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try await client.transfers().isEmpty)
        await client.disconnect()
        client = try stage.client()
        await client.receive(with: third, immediately: true)
        #expect(third.outcomes.isEmpty)
        await client.disconnect()
    }

    @Test(
        "a connection reports the transfers, then the waiting outcomes, then the end of the list",
        arguments: DaemonKind.allCases)
    func order(_ kind: DaemonKind) async throws {
        let stage = try Stage(kind)
        var client = try stage.client()
        let first = RecordingReceiver()
        await client.receive(with: first, immediately: true)
        for name in ["a", "b"] { try await stage.begin(name, with: client) }
        try stage.finish("a")
        await first.untilOutcome(of: "a")
        await client.disconnect()
        client = try stage.client()
        let second = RecordingReceiver()
        await client.receive(with: second, immediately: true)
        await second.wait { news in news.contains { if case .progress = $0 { true } else { false } } }
        var told: [String] = []
        for news in second.news {
            switch news {
            case .connected(_, let transfers): told.append("connected \(transfers.map(\.state.rawValue))")
            case .outcome(let outcome): told.append("outcome \(outcome.reference)")
            case .caughtUp: told.append("caught up")
            case .progress(let list): told.append("progress \(Set(list.map(\.workID)).sorted())")
            case .unreachable: told.append("unreachable")
            }
        }
        #expect(
            told.prefix(4) == [
                "connected [\"finished\", \"active\"]", "outcome a#1", "caught up", "progress [\"b\"]",
            ])
        await client.disconnect()
    }

    @Test("a cancelled transfer is forgotten, and has no outcome", arguments: DaemonKind.allCases)
    func cancelled(_ kind: DaemonKind) async throws {
        let stage = try Stage(kind)
        let client = try stage.client()
        let receiver = RecordingReceiver()
        await client.receive(with: receiver, immediately: true)
        for name in ["a", "b"] { try await stage.begin(name, with: client) }
        try await client.cancel(Stage.reference("a"))
        try await client.cancel(Stage.reference("a"))
        #expect(try await client.transfers().map(\.reference) == [Stage.reference("b")])
        try stage.finish("b")
        await receiver.untilOutcome(of: "b")
        #expect(receiver.outcomes.map(\.reference) == [Stage.reference("b")])
        await client.disconnect()
    }

    @Test(
        "a pause holds before the start and over connections, and ends when it is said", arguments: DaemonKind.allCases)
    func pauses(_ kind: DaemonKind) async throws {
        let stage = try Stage(kind)
        var client = try stage.client()
        _ = try await client.reserve(stage.specification("a"))
        try await client.setPaused(Stage.reference("a"), true)
        try await client.resume(Stage.reference("a"))
        #expect(try await client.transfers().map(\.phase) == [.paused])
        await client.disconnect()
        client = try stage.client()
        let receiver = RecordingReceiver()
        await client.receive(with: receiver, immediately: true)
        #expect(try await client.transfers().map(\.phase) == [.paused])
        #expect(stage.place.server.requests.isEmpty)
        try await client.setPaused(Stage.reference("a"), false)
        try await client.setPaused(Stage.reference("a"), false)
        try stage.finish("a")
        await receiver.untilOutcome(of: "a")
        try await client.setPaused(Stage.reference("a"), true)
        #expect(try await client.transfers().map(\.phase) == [.succeeded])
        await client.disconnect()
    }
}
