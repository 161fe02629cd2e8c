import BackgroundWork
import BackgroundWorkTransfers
import Foundation
import Testing

/// Inputs that are too long for one message to the agent.
@Suite(.fewAtATime)
struct OversizedMessageTests {
    static let content = Array("the file".utf8)

    private static func lengthen(_ options: inout TransferOptions) {
        options.headers["X-Long"] = String(repeating: "x", count: FrameCodec.maximumBytes)
    }

    @Test("a request that is too long fails at once and says how long it is and may be, and other transfers continue")
    func scheduled() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        try place.makeSource(bytes: 5)
        let scheduler = try place.scheduler()
        var events = scheduler.eventBus.events.makeAsyncIterator()
        try await scheduler.start()
        var long = [try place.download { Self.lengthen(&$0.options) }, try place.upload { Self.lengthen(&$0.options) }]
        for index in long.indices { long[index].retryPolicy = .atOnce(10) }
        for request in long {
            try await scheduler.enqueue(request)
            let event = try #require(await events.next())
            #expect(event.outcome == .failed)
            #expect(event.attempt == 1)
            let words = event.message ?? ""
            #expect(words.contains("was not accepted"), "\(words)")
            #expect(words.contains("at most \(FrameCodec.maximumBytes)"), "\(words)")
            #expect(words.utf8.count < 1000)
        }
        try await scheduler.enqueue(try place.download())
        #expect(await events.next()?.outcome == .succeeded)
        #expect(place.hasSaved(Self.content))
        try await place.wait(for: "the entry's removal") { place.stateEntries == 0 }
        await scheduler.shutdown()
    }

    @Test("a direct transfer says the same, and its identifier is free again")
    func direct() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        let downloader = try place.downloader()
        var download = place.standaloneDownload()
        Self.lengthen(&download.options)
        let response = await downloader.networkResponse(from: download, with: "one")
        guard case .failed(let error as WorkerInputError) = response else {
            Issue.record("\(response)")
            return
        }
        #expect(error.reason.contains("at most \(FrameCodec.maximumBytes)"))
        #expect(await downloader.networkResponse(from: place.standaloneDownload(), with: "one").value != nil)
        await downloader.shutdown()
    }

    @Test("a launch command that is too long is rejected when the scheduler is made")
    func launchCommand() throws {
        let place = try Workplace()
        let command = LaunchCommand(
            arguments: ["/bin/true"], environment: ["X": String(repeating: "x", count: FrameCodec.maximumBytes)])
        let error = #expect(throws: ConfigurationError.self) { try place.scheduler { $0.launchCommand = command } }
        #expect(error?.description.contains("at most \(FrameCodec.maximumBytes)") == true)
        var configuration = place.standaloneConfiguration
        configuration.launchCommand = command
        #expect(throws: try #require(error)) { try Downloader(configuration: configuration) }
    }
}
