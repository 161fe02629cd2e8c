import BackgroundWork
import BackgroundWorkTesting
import Foundation
import Testing

/// Transfers without a scheduler, with a real agent.
@Suite(.serialized, .fewAtATime)
struct StandaloneTransferTests {
    static let content = HostDeathTests.content

    @Test("a download succeeds with the file at its target, and leaves nothing else")
    func success() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        let downloader = try place.downloader()
        let file = try #require(await downloader.networkResponse(from: place.standaloneDownload(), with: "one").value)
        #expect(file.url.path == place.savePath)
        #expect(file.bytes == Int64(Self.content.count))
        #expect(file.statusCode == 200)
        #expect(!file.wasSkipped)
        #expect(place.hasSaved(Self.content))
        #expect(place.journal.isEmpty && place.standaloneRecord.isEmpty)
        try await place.wait(for: "the entry's removal") { place.stateEntries == 0 }
        #expect(place.leftovers.isEmpty)
        await downloader.shutdown()
    }

    @Test("a permanent status is a rejection, and the identifier is free again")
    func rejected() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        place.server.setBehaviours([.status(404), .correct], for: "/file")
        let downloader = try place.downloader()
        let first = await downloader.networkResponse(from: place.standaloneDownload(), with: "one")
        guard case .rejected(404, let message) = first else {
            Issue.record("\(first)")
            return
        }
        #expect(message.contains("404"))
        #expect(first.retryAfterInterval == nil)
        #expect(await downloader.networkResponse(from: place.standaloneDownload(), with: "one").value != nil)
        await downloader.shutdown()
    }

    @Test("a temporary status is a retry, with the wait that the server asked for")
    func retry() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        place.server.setBehaviours([.status(503, retryAfter: .seconds(120)), .status(500)], for: "/file")
        let downloader = try place.downloader()
        let asked = await downloader.networkResponse(from: place.standaloneDownload(), with: "one")
        guard case .retry(_, 503) = asked else {
            Issue.record("\(asked)")
            return
        }
        let wait = try #require(asked.retryAfterInterval)
        #expect(wait > .seconds(60) && wait <= .seconds(120))
        let plain = await downloader.networkResponse(from: place.standaloneDownload(), with: "one")
        guard case .retry(nil, 500) = plain else {
            Issue.record("\(plain)")
            return
        }
        await downloader.shutdown()
    }

    @Test("a failure without a response of the server says why")
    func failed() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        let downloader = try place.downloader()
        var download = place.standaloneDownload()
        download.checksum = FileChecksum(.sha256, hex: String(repeating: "0", count: 64))
        let response = await downloader.networkResponse(from: download, with: "one")
        guard case .failed(StandaloneTransferError.transferFailed("one", let message, false)) = response else {
            Issue.record("\(response)")
            return
        }
        #expect(message.contains("checksum"))
        download.savePath = "relative"
        let refused = await downloader.networkResponse(from: download, with: "two")
        guard case .failed(let error as WorkerInputError) = refused else {
            Issue.record("\(refused)")
            return
        }
        #expect(error.description.contains("savePath"))
        #expect(place.standaloneRecord.isEmpty)
        await downloader.shutdown()
    }

    @Test("callers of one identifier share a transfer; those of another have their own")
    func several() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        place.server.serve(.bytes(Array("other".utf8)), at: "/other")
        place.server.setBehaviour(.holdAfter(bytes: 20_000), for: "/file")
        let downloader = try place.downloader()
        let other = place.folder.path + "/downloads/other.bin"
        async let first = downloader.networkResponse(from: place.standaloneDownload(), with: "one")
        async let second = downloader.networkResponse(from: place.standaloneDownload(), with: "one")
        async let third = downloader.networkResponse(from: place.standaloneDownload("/other", to: other), with: "two")
        let ofOther = await third
        #expect(ofOther.value?.url.path == other, "\(ofOther)")
        place.server.release("/file")
        let both = await (first, second)
        #expect(both.0.value != nil && both.1.value != nil, "\(both)")
        #expect(place.server.requests.filter { $0.path == "/file" }.count == 1)
        await downloader.shutdown()
    }

    @Test("another request under an identifier in progress is rejected, other headers are not")
    func anotherRequest() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        place.server.setBehaviour(.holdAfter(bytes: 20_000), for: "/file")
        let downloader = try place.downloader()
        async let first = downloader.networkResponse(from: place.standaloneDownload(), with: "one")
        try await place.wait(for: "the transfer") { place.stagedBytes ?? 0 > 0 }
        let other = await downloader.networkResponse(from: place.standaloneDownload("/other"), with: "one")
        guard case .failed(StandaloneTransferError.identifierInUse("one")) = other else {
            Issue.record("\(other)")
            return
        }
        var withToken = place.standaloneDownload()
        withToken.options.headers = ["Authorization": "Bearer next"]
        async let second = downloader.networkResponse(from: withToken, with: "one")
        place.server.release("/file")
        #expect(await first.value != nil)
        _ = await second
        await downloader.shutdown()
    }

    @Test("a cancelled transfer ends for its callers, in the daemon, and on disk")
    func cancel() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        place.server.setBehaviours([.holdAfter(bytes: 20_000), .correct], for: "/file")
        let downloader = try place.downloader()
        async let response = downloader.networkResponse(from: place.standaloneDownload(), with: "one")
        try await place.wait(for: "the transfer") { place.stagedBytes ?? 0 > 0 }
        #expect(try await downloader.cancel("one"))
        guard case .failed(StandaloneTransferError.cancelled("one")) = await response else {
            Issue.record("it was not cancelled")
            return
        }
        #expect(place.standaloneRecord.isEmpty && place.stateEntries == 0 && place.journal.isEmpty)
        try await place.wait(for: "the staged file's removal") { place.leftovers.isEmpty }
        #expect(try await downloader.cancel("one") == false)
        #expect(await downloader.networkResponse(from: place.standaloneDownload(), with: "one").value != nil)
        await downloader.shutdown()
    }

    @Test("a cancelled caller returns, the download continues, and the next caller gets its result")
    func callerLeaves() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        place.server.setBehaviour(.holdAfter(bytes: 20_000), for: "/file")
        let downloader = try place.downloader()
        let caller = Task { await downloader.networkResponse(from: place.standaloneDownload(), with: "one") }
        try await place.wait(for: "the transfer") { place.stagedBytes ?? 0 > 0 }
        caller.cancel()
        guard case .failed(is CancellationError) = await caller.value else {
            Issue.record("the caller did not leave")
            return
        }
        place.server.release("/file")
        try await place.wait(for: "the end") { place.standaloneRecord == ["one": 2] }
        #expect(await downloader.networkResponse(from: place.standaloneDownload(), with: "one").value != nil)
        #expect(place.server.requests.count == 1)
        await downloader.shutdown()
    }

    @Test("the agent dies and is started again while a caller waits")
    func agentDies() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        place.server.setBehaviours([.holdAfter(bytes: 20_000), .correct], for: "/file")
        let downloader = try place.downloader()
        async let response = downloader.networkResponse(from: place.standaloneDownload(), with: "one")
        try await place.wait(for: "the transfer") { place.stagedBytes ?? 0 > 0 }
        try await place.killAgents()
        #expect(await response.value != nil)
        #expect(place.hasSaved(Self.content))
        await downloader.shutdown()
    }

    @Test("the agent's journal is lost with the agent, and the download begins once more")
    func journalLost() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        place.server.setBehaviours([.holdAfter(bytes: 20_000), .correct], for: "/file")
        let downloader = try place.downloader()
        async let response = downloader.networkResponse(from: place.standaloneDownload(), with: "one")
        try await place.wait(for: "the transfer") { place.stagedBytes ?? 0 > 0 }
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: place.directory + "/agent/agent.sqlite" + suffix)
        }
        try await place.killAgents()
        #expect(await response.value != nil)
        #expect(place.hasSaved(Self.content))
        try await place.wait(for: "the entries' removal") { place.stateEntries == 0 }
        await downloader.shutdown()
    }

    @Test("a directory is a scheduler's, or one downloader's at a time")
    func directories() async throws {
        let place = try Workplace()
        let downloader = try place.downloader()
        #expect(throws: ConfigurationError.directoryInUse(place.directory)) { try place.uploader() }
        #expect(throws: ConfigurationError.directoryOfStandaloneTransfers(place.directory)) { try place.scheduler() }
        await downloader.shutdown()
        await (try place.uploader()).shutdown()
        let second = try Workplace()
        let scheduler = try second.scheduler()
        #expect(throws: ConfigurationError.directoryOfScheduler(second.directory)) { try second.downloader() }
        await scheduler.shutdown()
    }

    @Test("when no agent can be started the answer says so, and the identifier is free again")
    func noAgent() async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        var configuration = place.standaloneConfiguration
        configuration.agentExecutable = "/bin/false"
        let downloader = try Downloader(configuration: configuration)
        let response = await downloader.networkResponse(from: place.standaloneDownload(), with: "one")
        guard case .failed(is AgentUnavailableError) = response else {
            Issue.record("\(response)")
            return
        }
        #expect(place.standaloneRecord.isEmpty)
        await downloader.shutdown()
        let next = try place.downloader()
        #expect(await next.networkResponse(from: place.standaloneDownload("/file"), with: "one").value != nil)
        await next.shutdown()
    }

    // MARK: - Uploads

    @Test("an upload succeeds with the server's answer")
    func upload() async throws {
        let place = try Workplace()
        place.server.acceptUploads(at: "/up")
        let file = place.folder.path + "/source.bin"
        try Data(Self.content).write(to: URL(filePath: file))
        let uploader = try place.uploader()
        let upload = UploadConfiguration(url: place.server.url("/up"), filePath: file)
        let sent = try #require(await uploader.networkResponse(from: upload, with: "photo").value)
        #expect(sent.bytes == Int64(Self.content.count))
        #expect((200..<300).contains(sent.statusCode))
        #expect(place.server.uploads(at: "/up").count == 1)
        #expect(place.journal.isEmpty && place.standaloneRecord.isEmpty)
        try await place.wait(for: "the entry's removal") { place.stateEntries == 0 }
        await uploader.shutdown()
    }

    @Test("an upload that the server refuses is a rejection")
    func uploadRejected() async throws {
        let place = try Workplace()
        place.server.acceptUploads(at: "/up")
        place.server.setBehaviour(.status(403), for: "/up")
        let file = place.folder.path + "/source.bin"
        try Data(Self.content).write(to: URL(filePath: file))
        let uploader = try place.uploader()
        let upload = UploadConfiguration(url: place.server.url("/up"), filePath: file)
        let response = await uploader.networkResponse(from: upload, with: "photo")
        guard case .rejected(403, _) = response else {
            Issue.record("\(response)")
            return
        }
        await uploader.shutdown()
    }

    @Test("the result of an upload that ended while no program ran is returned, although its file is deleted")
    func uploadEndsAlone() async throws {
        let place = try Workplace()
        place.server.acceptUploads(at: "/up")
        place.server.setBehaviour(.holdUpload(after: 10_000), for: "/up")
        let file = place.folder.path + "/source.bin"
        try Data(Self.content).write(to: URL(filePath: file))
        let upload = UploadConfiguration(url: place.server.url("/up"), filePath: file)
        let first = try place.uploader()
        async let lost = first.networkResponse(from: upload, with: "photo")
        try await place.wait(for: "the upload") { place.server.requests.count == 1 }
        await first.shutdown()
        guard case .failed(StandaloneTransferError.shutDown) = await lost else {
            Issue.record("the shutdown did not end the wait")
            return
        }
        place.server.release("/up")
        try await place.wait(for: "the end") { place.journal == ["finished"] }
        try FileManager.default.removeItem(atPath: file)
        let second = try place.uploader()
        #expect(await second.networkResponse(from: upload, with: "photo").value != nil)
        #expect(place.server.uploads(at: "/up").count == 1)
        await second.shutdown()
    }
}
