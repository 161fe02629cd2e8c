import BackgroundWork
import BackgroundWorkModel
import BackgroundWorkTesting
import BackgroundWorkTransfers
import Foundation
import Testing

/// Uploads as a body or in a form, from the request to the event.
@Suite(.serialized, .fewAtATime)
struct UploadTests {
    private func place() throws -> Workplace {
        let place = try Workplace()
        place.server.acceptUploads(at: "/upload")
        return place
    }

    @Test("the file's bytes arrive as the body", arguments: ["PUT", "POST"], [0, 1, 300_000, 5 << 20])
    func body(method: String, bytes: Int) async throws {
        let place = try place()
        let content = try place.makeSource(bytes: bytes)
        let event = try await place.run(
            try place.upload {
                $0.method = method
                $0.options.headers = ["X-Album": "summer"]
            })
        #expect(event?.success == true, "\(event?.message ?? "")")
        let upload = try #require(place.server.uploads(at: "/upload").first)
        #expect(upload.bytes == content)
        #expect(upload.isComplete)
        #expect(upload.method == method)
        #expect(upload.headers["content-type"] == "application/octet-stream")
        #expect(upload.headers["x-album"] == "summer")
        #expect(place.server.requests.count == 1)
        let output = try #require(event?.outputJSON)
        #expect(output.contains("\"bytes\":\(bytes)"), "\(output)")
        #expect(output.contains("\"statusCode\":200"), "\(output)")
        #expect(output.contains("received \(bytes) bytes"), "\(output)")
        #expect(place.hasSaved(content, at: place.sourcePath), "the file stays")
        try await place.wait(for: "nothing to be left") { place.journal.isEmpty && place.stateEntries == 0 }
    }

    @Test("the media type is what the request says, or else its header")
    func mediaType() async throws {
        let place = try place()
        try place.makeSource(bytes: 10)
        _ = try await place.run(try place.upload { $0.form = .body(mimeType: "image/jpeg") })
        _ = try await place.run(try place.upload { $0.options.headers = ["content-type": "text/x-mine"] })
        _ = try await place.run(
            try place.upload {
                $0.method = "POST"
                $0.options.headers = ["content-type": "text/x-mine"]
            })
        #expect(
            place.server.uploads(at: "/upload").map { $0.headers["content-type"] } == [
                "image/jpeg", "text/x-mine", "text/x-mine",
            ])
    }

    @Test("a form arrives with its fields, the file's name and its type", arguments: [0, 5 << 20])
    func multipart(bytes: Int) async throws {
        let place = try place()
        let content = try place.makeSource(bytes: bytes)
        let event = try await place.run(
            try place.upload {
                $0.method = "POST"
                $0.form = .multipart(
                    fieldName: "photo", fileName: "Übung \"1\".jpg", mimeType: "image/jpeg",
                    fields: ["title": "Meer & Ölberg\r\nsecond line", "a\"b": "quoted"])
            })
        #expect(event?.success == true, "\(event?.message ?? "")")
        let upload = try #require(place.server.uploads(at: "/upload").first)
        #expect(upload.method == "POST")
        let parts = try upload.formParts()
        #expect(parts.map(\.name) == ["a%22b", "title", "photo"])
        #expect(parts[0].text == "quoted")
        #expect(parts[1].text == "Meer & Ölberg\r\nsecond line")
        #expect(parts[2].filename == "Übung %221%22.jpg")
        #expect(parts[2].contentType == "image/jpeg")
        #expect(parts[2].bytes == content)
        #expect(event?.outputJSON?.contains("\"bytes\":\(bytes)") == true, "the file's, not the form's")
    }

    @Test("left out, the field is called file, and the file by its own name")
    func multipartDefaults() async throws {
        let place = try place()
        try place.makeSource(bytes: 3)
        _ = try await place.run(try place.upload { $0.form = .multipart() })
        let part = try #require(try place.server.uploads(at: "/upload").first?.formParts().first)
        #expect(part.name == "file")
        #expect(part.filename == "source.bin")
        #expect(part.contentType == "application/octet-stream")
    }

    @Test("the server's response is passed on, up to a limit")
    func answer() async throws {
        let place = try place()
        try place.makeSource(bytes: 3)
        place.server.setBehaviours(
            [.answer(201, body: "stored as \"7\""), .answer(200, body: String(repeating: "x", count: 1 << 20))],
            for: "/upload")
        let first = try await place.run(try place.upload())
        #expect(first?.outputJSON?.contains(#"stored as \"7\""#) == true, "\(first?.outputJSON ?? "")")
        #expect(first?.outputJSON?.contains("\"statusCode\":201") == true)
        let second = try await place.run(try place.upload())
        #expect(second?.success == true, "\(second?.message ?? "")")
        #expect((second?.outputJSON?.utf8.count ?? .max) < 128 << 10)
    }

    @Test("a redirect that keeps the method is followed with the whole file")
    func redirect() async throws {
        let place = try place()
        let content = try place.makeSource(bytes: 300_000)
        place.server.acceptUploads(at: "/old")
        place.server.setBehaviour(.redirect(to: "/upload", status: 307), for: "/old")
        let event = try await place.run(try place.upload("/old"))
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(place.server.uploads(at: "/upload").map(\.bytes) == [content])
    }

    // MARK: Refusals

    @Test("the response of a server that rejects an upload half-way is read", arguments: [413, 403, 507])
    func refusedHalfWay(status: Int) async throws {
        let place = try place()
        try place.makeSource(bytes: 5 << 20)
        place.server.setBehaviour(.refuseUpload(after: 100_000, status: status), for: "/upload")
        let event = try await place.run(try place.upload())
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains("PUT \(place.server.url("/upload"))") == true, "\(event?.message ?? "")")
        #expect(event?.message?.contains("\(status)") == true, "\(event?.message ?? "")")
        #expect(place.server.requests.count == 1)
    }

    @Test("a connection that is reset half-way is a failure, and no success")
    func reset() async throws {
        let place = try place()
        try place.makeSource(bytes: 5 << 20)
        place.server.setBehaviour(.resetUpload(after: 100_000), for: "/upload")
        let event = try await place.run(try place.upload())
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains(place.server.url("/upload")) == true, "\(event?.message ?? "")")
    }

    @Test("an answer that is lost is no success, and the file is sent again")
    func lostAnswer() async throws {
        let place = try place()
        let content = try place.makeSource(bytes: 300_000)
        place.server.setBehaviours([.loseAnswer, .correct], for: "/upload")
        let event = try await place.run(try place.upload { $0.options.retry = .atOnce(3) })
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(place.server.uploads(at: "/upload").map { $0.bytes == content } == [true, true])
    }

    @Test("a server that is busy is tried again, from the file's beginning")
    func busy() async throws {
        let place = try place()
        let content = try place.makeSource(bytes: 2 << 20)
        place.server.setBehaviours(
            [.refuseUpload(after: 100_000, status: 503), .resetUpload(after: 1 << 20), .status(429), .correct],
            for: "/upload")
        let event = try await place.run(try place.upload { $0.options.retry = .atOnce(5) })
        #expect(event?.success == true, "\(event?.message ?? "") \(place.logs)")
        #expect(event?.outputJSON?.contains("\"requests\":4") == true, "\(event?.outputJSON ?? "")")
        #expect(place.server.uploads(at: "/upload").last?.bytes == content)
        #expect(place.server.requests.map(\.status).last == 200)
    }

    // MARK: The file

    @Test("a missing file, or one that is not regular, fails before the server is contacted")
    func noFile() async throws {
        let place = try place()
        for path in [place.folder.path + "/missing", place.folder.path] {
            let event = try await place.run(try place.upload { $0.filePath = path })
            #expect(event?.outcome == .failed)
            #expect(event?.message?.contains(path) == true, "\(event?.message ?? "")")
        }
        #expect(place.server.requests.isEmpty)
        #expect(place.agents.isEmpty)
    }

    enum Change: String, CaseIterable { case grown, shortened, touched, replaced, deleted }

    private func change(_ change: Change, _ place: Workplace) throws {
        let path = place.sourcePath
        let handle = try FileHandle(forUpdating: URL(filePath: path))
        switch change {
        case .grown:
            try handle.seekToEnd()
            try handle.write(contentsOf: Data([1]))
        case .shortened: try handle.truncate(atOffset: 1000)
        case .touched:
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
        case .replaced:
            let content = try Data(contentsOf: URL(filePath: path))
            try content.write(to: URL(filePath: path + ".new"))
            #expect(rename(path + ".new", path) == 0)
        case .deleted: try FileManager.default.removeItem(atPath: path)
        }
        try handle.close()
    }

    @Test("a file that has changed since the hand-off is not sent", arguments: Change.allCases)
    func changedBefore(how: Change) async throws {
        let place = try place()
        try place.makeSource(bytes: 5000)
        let client = AgentClient(place)
        await client.listen()
        let source = place.source
        try change(how, place)
        try await client.upload("u", source: source) { $0.options.retry = .atOnce(3) }
        let failure = try await client.outcome("u").failure
        #expect(failure?.kind == .sourceChanged, "\(failure?.message ?? "")")
        #expect(failure?.message.contains(place.sourcePath) == true)
        #expect(failure?.isRetryable == false)
        #expect(place.server.requests.isEmpty)
        await client.service.disconnect()
    }

    @Test(
        "a file that changes while it is sent makes the upload fail, whatever the server thinks",
        arguments: Change.allCases)
    func changedUnderWay(how: Change) async throws {
        let place = try place()
        // More than the buffers on the way can hold.
        try place.makeSource(bytes: 32 << 20)
        place.server.setBehaviour(.holdUpload(after: 1 << 20), for: "/upload")
        let client = AgentClient(place)
        await client.listen()
        try await client.upload("u") { $0.options.retry = .atOnce(3) }
        await place.server.wait { $0.contains { $0.receivedBytes >= 1 << 20 } }
        try change(how, place)
        place.server.release("/upload")
        let failure = try await client.outcome("u").failure
        #expect(failure?.kind == .sourceChanged, "\(failure?.message ?? "")")
        #expect(place.server.requests.count == 1)
        #expect(place.server.uploads(at: "/upload").allSatisfy { !$0.isComplete })
        await client.service.disconnect()
    }

    // MARK: Deaths

    @Test("killed in the middle, the agent has the whole file sent again by the next one")
    func agentDeath() async throws {
        let place = try place()
        let content = try place.makeSource(bytes: 16 << 20)
        place.server.setBehaviours([.holdUpload(after: 1 << 20), .correct], for: "/upload")
        let scheduler = try place.scheduler()
        let stream = scheduler.eventBus.events
        try await scheduler.start()
        try await scheduler.enqueue(place.upload(), id: "u")
        await place.server.wait { $0.contains { $0.receivedBytes >= 1 << 20 } }
        try await place.killAgents()
        var iterator = stream.makeAsyncIterator()
        let event = await iterator.next()
        #expect(event?.success == true, "\(event?.message ?? "") \(place.logs)")
        place.server.release("/upload")
        #expect(place.server.uploads(at: "/upload").filter(\.isComplete).map { $0.bytes == content } == [true])
        #expect(place.server.requests.count == 2)
        await scheduler.shutdown()
    }

    @Test("the host is killed in the middle, the agent finishes, and the next host gets the event once")
    func hostDeath() async throws {
        let place = try place()
        let content = try place.makeSource(bytes: 16 << 20)
        place.server.setBehaviour(.holdUpload(after: 1 << 20), for: "/upload")
        let first = try place.startHost(
            ordering: nil, ["--upload", place.sourcePath, "--url", place.server.url("/upload")])
        await place.server.wait { $0.contains { $0.receivedBytes >= 1 << 20 } }
        try await place.wait(for: "the hand-off") { place.state(of: "c/0.0") == 3 }
        await first.killAndWait()
        place.server.release("/upload")
        try await place.wait(for: "the upload's end") { place.journal == ["finished"] }
        #expect(place.events.isEmpty)
        let second = try place.startHost(ordering: nil)
        #expect(await second.nextChange() == .exited(0), "\(place.logs)")
        #expect(place.events.map(\.workID) == ["c/0.0", "c/1.0"])
        #expect(place.events.allSatisfy { $0.outcome == "succeeded" }, "\(place.events)")
        #expect(place.effects.count == 1)
        #expect(place.server.uploads(at: "/upload").map { $0.bytes == content } == [true])
        try await place.wait(for: "nothing to be left") { place.journal.isEmpty && place.stateEntries == 0 }
    }
}
