import BackgroundWork
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// Secrets are on the disk while a transfer needs them, and nowhere after it; nothing tells them at any time.
@Suite(.serialized, .fewAtATime)
struct SecretTests {
    private static let content = HostDeathTests.content

    enum Ending: CaseIterable { case succeeded, failed, cancelled }
    enum Kind: CaseIterable { case download, body, form, tus }

    /// A server that repeats secrets wherever it can.
    private func place(_ kind: Kind, _ ending: Ending) throws -> Workplace {
        let place = try Workplace(serving: Self.content, acceptingUploadsAt: "/upload")
        place.server.acceptTus(at: "/tus")
        try place.makeSource(bytes: 50_000)
        let word = SecretOptions.word
        let echo = [
            HeaderField("Location", "http://127.0.0.1/next?sig=\(word)-location"),
            HeaderField("Set-Cookie", "session=\(word)-set"),
            HeaderField("WWW-Authenticate", "Bearer error_description=\"\(word)-api-key is not known\""),
            HeaderField("X-Request-Id", "for-\(word)-cookie-0123456789"),
        ]
        let behaviour = Behaviour.with { behaviour in
            if kind == .download { behaviour.holdsAfter = 100 } else { behaviour.holdsUploadAfter = 100 }
            if kind != .tus { behaviour.headers = echo }
            if ending == .failed {
                behaviour.statusLine = "HTTP/1.1 403 not \(word)-api-key"
                behaviour.status = 403
            }
        }
        switch kind {
        case .download:
            place.server.serve(.bytes(Self.content), at: "/there")
            place.server.setBehaviour(.redirect(to: "/there?sig=\(word)-redirect"), for: "/file")
            place.server.setBehaviour(behaviour, for: "/there")
        case .body, .form: place.server.setBehaviour(behaviour, for: "/upload")
        case .tus: place.server.setBehaviour(behaviour, for: "/tus/1")
        }
        return place
    }

    private func request(_ kind: Kind, _ place: Workplace) throws -> TaskRequest {
        let file = place.sourcePath
        func fill(_ upload: inout UploadConfiguration) {
            upload.url = SecretOptions.sign(upload.url)
            SecretOptions.fill(&upload.options, readableFile: file)
        }
        switch kind {
        case .download:
            return try place.download(url: SecretOptions.sign(place.server.url("/file"))) { download in
                SecretOptions.fill(&download.options, readableFile: file)
                download.mirrors = [SecretOptions.sign(place.server.url("/file"))]
            }
        case .body: return try place.upload { fill(&$0) }
        case .form:
            return try place.upload { upload in
                upload.form = .multipart(fields: ["x-amz-signature": "\(SecretOptions.word)-field", "album": "summer"])
                upload.method = "POST"
                fill(&upload)
            }
        case .tus:
            return try place.upload("/tus") { upload in
                upload.form = .tus(metadata: ["token": "\(SecretOptions.word)-metadata", "filename": "f"])
                fill(&upload)
            }
        }
    }

    private func isUnderWay(_ kind: Kind, _ place: Workplace) -> Bool {
        let path =
            switch kind {
            case .download: "/there"
            case .body, .form: "/upload"
            case .tus: "/tus/1"
            }
        return place.server.requests.contains { $0.path.hasPrefix(path) }
    }

    @Test(
        "secrets go when their transfer ends, and are told by nothing",
        arguments: Kind.allCases, Ending.allCases)
    func end(kind: Kind, ending: Ending) async throws {
        let place = try place(kind, ending)
        let notices = Recorder<String>()
        let scheduler = try place.scheduler { configuration in
            configuration.noticeHandler = { notices.add("\($0)") }
        }
        let stream = scheduler.eventBus.events
        try await scheduler.start()
        try await scheduler.enqueue(try request(kind, place), id: "a")
        if ending != .failed {
            try await place.wait(for: "the request") { isUnderWay(kind, place) }
            // A transfer needs them; a search that finds nothing now would prove nothing later.
            let found = try await place.files(containing: SecretOptions.word)
            #expect(found.contains { $0.contains("/work.sqlite") }, "\(found)")
            #expect(found.contains { $0.contains("/agent.sqlite") }, "\(found)")
            #expect(!found.contains { $0.hasSuffix(".log") || $0.hasSuffix(".json") }, "\(found)")
            let words = try await place.words(of: scheduler, id: "a")
            #expect(!words.contains(SecretOptions.word), "\(words)")
        }
        if ending == .cancelled { try await scheduler.cancel(id: "a") }
        for path in ["/there", "/upload", "/tus/1"] { place.server.release(path) }
        var iterator = stream.makeAsyncIterator()
        let event = try #require(await iterator.next())
        switch ending {
        case .succeeded: #expect(event.outcome == .succeeded, "\(event.message ?? "")\n\(place.logs)")
        case .failed: #expect(event.outcome == .failed)
        case .cancelled: #expect(event.outcome == .cancelled)
        }
        // The scheduler and its agent go on meanwhile.
        try await place.waitUntilNoFileHasSecrets()
        let words = try await place.words(of: scheduler, id: "a") + "\(event)\(notices.values)"
        #expect(!words.contains(SecretOptions.word) && !words.contains(SecretOptions.encoded), "\(words)")
        // Users still learn which URL it was.
        if ending == .failed {
            #expect(event.message?.contains(place.server.url("/")) == true, "\(event.message ?? "")")
        }
        if ending != .succeeded {
            await #expect(throws: RetryError.secretsRemoved(ids: ["a"])) { try await scheduler.retry(id: "a") }
            #expect(try await scheduler.info(id: "a")?.state.isFinished == true)
        }
        await scheduler.shutdown()
        #expect(try await place.files(containing: SecretOptions.word) == [])
    }

    @Test("a host that is killed before its log is emptied leaves that to its next launch")
    func killed() async throws {
        let place = try Workplace(serving: Self.content)
        let path = "/file?sig=\(SecretOptions.word)-signature"
        let first = try place.startHost(ordering: path, stoppingAt: .at(.before, "send", "\"acknowledge\""))
        #expect(await first.nextChange() == .stopped, "\(place.logs)")
        await first.killAndWait()
        // The work has ended; the log of its database has not been emptied.
        #expect(try await place.files(containing: SecretOptions.word).contains(place.directory + "/work.sqlite-wal"))
        let second = try place.startHost(ordering: nil)
        #expect(await second.nextChange() == .exited(0), "\(place.logs)")
        try await place.waitUntilNoFileHasSecrets()
        #expect(place.events.map(\.outcome) == ["succeeded", "succeeded"])
    }

    @Test("a host and an agent that are killed during a transfer leave no secrets once it has ended")
    func killedUnderWay() async throws {
        let place = try Workplace(serving: Self.content)
        place.server.setBehaviour(.holdAfter(bytes: 100), for: "/file")
        let first = try place.startHost(ordering: "/file?sig=\(SecretOptions.word)-signature")
        try await place.wait(for: "the request") { !place.server.requests.isEmpty }
        try await place.wait(for: "the hand-off") { place.state(of: "c/0.0") == 3 }
        await first.killAndWait()
        try await place.killAgents()
        #expect(!(try await place.files(containing: SecretOptions.word)).isEmpty)
        place.server.release("/file")
        let second = try place.startHost(ordering: nil)
        #expect(await second.nextChange() == .exited(0), "\(place.logs)")
        try await place.waitUntilNoFileHasSecrets()
        #expect(place.events.map(\.outcome) == ["succeeded", "succeeded"])
    }

    @Test("a direct download keeps the signed query of its URL nowhere but with the daemon")
    func direct() async throws {
        let place = try Workplace(serving: Self.content)
        place.server.setBehaviour(.holdAfter(bytes: 100), for: "/file")
        let downloader = try place.downloader()
        var download = place.standaloneDownload("/file")
        download.url = SecretOptions.sign(download.url)
        let running = Task { [download] in await downloader.networkResponse(from: download, with: "file") }
        try await place.wait(for: "the request") { !place.server.requests.isEmpty }
        let found = try await place.files(containing: SecretOptions.word)
        #expect(!found.isEmpty && found.allSatisfy { $0.contains("/agent.sqlite") }, "\(found)")
        var other = download
        other.url += "&other=1"
        guard
            case .failed(StandaloneTransferError.identifierInUse) = await downloader.networkResponse(
                from: other, with: "file")
        else {
            Issue.record("another query is another request")
            return
        }
        place.server.release("/file")
        guard case .success = await running.value else {
            Issue.record("not downloaded\n\(place.logs)")
            return
        }
        try await place.waitUntilNoFileHasSecrets()
    }
}
