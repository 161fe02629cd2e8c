import BackgroundWork
import BackgroundWorkModel
import BackgroundWorkTesting
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

/// Uploads by the tus protocol, with a server that drops, forgets and contradicts.
@Suite(.serialized, .fewAtATime)
struct TusUploadTests {
    private func place() throws -> Workplace {
        let place = try Workplace()
        place.server.acceptTus(at: "/files")
        return place
    }

    private func upload(_ place: Workplace, _ change: (inout UploadConfiguration) -> Void = { _ in }) throws
        -> TaskRequest
    {
        try place.upload("/files") {
            $0.form = .tus(metadata: ["filename": "Übung.jpg", "empty": ""])
            $0.options.retry = .atOnce(4)
            change(&$0)
        }
    }

    /// The requests so far: method, and path without the endpoint's.
    private func steps(_ place: Workplace) -> [String] {
        place.server.requests.map { "\($0.method) \($0.path.replacing("/files", with: ""))" }
    }

    private func received(_ place: Workplace) -> Int64 {
        place.server.requests.filter { $0.method == "PATCH" }.reduce(0) { $0 + $1.receivedBytes }
    }

    @Test("a resource is made, and the file sent there, with its metadata")
    func whole() async throws {
        let place = try place()
        let content = try place.makeSource(bytes: 3 << 20)
        let event = try await place.run(try upload(place))
        #expect(event?.success == true, "\(event?.message ?? "")")
        let found = try #require(place.server.tusUploads(at: "/files").first)
        #expect(found.bytes == content)
        #expect(found.metadata == ["filename": "Übung.jpg", "empty": ""])
        #expect(steps(place) == ["POST ", "PATCH /1"])
        #expect(event?.outputJSON?.contains("\"bytes\":\(3 << 20)") == true, "\(event?.outputJSON ?? "")")
    }

    @Test("an empty file is there as soon as its resource is")
    func empty() async throws {
        let place = try place()
        try place.makeSource(bytes: 0)
        let event = try await place.run(try upload(place))
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(place.server.tusUploads(at: "/files").map(\.isComplete) == [true])
        #expect(steps(place) == ["POST "])
    }

    @Test(
        "when the connection is dropped, only the rest is sent",
        arguments: [Behaviour.closeUpload(after: 1 << 20), .resetUpload(after: 1 << 20)])
    func dropped(behaviour: Behaviour) async throws {
        let place = try place()
        let content = try place.makeSource(bytes: 3 << 20)
        place.server.setBehaviours([behaviour, behaviour, .correct], for: "/files", method: "PATCH")
        let event = try await place.run(try upload(place))
        #expect(event?.success == true, "\(event?.message ?? "") \(place.logs)")
        #expect(place.server.tusUploads(at: "/files").map { $0.bytes == content } == [true])
        #expect(steps(place) == ["POST ", "PATCH /1", "HEAD /1", "PATCH /1", "HEAD /1", "PATCH /1"])
        #expect(received(place) == 3 << 20)
    }

    @Test("a lost response costs only one query")
    func lostAnswer() async throws {
        let place = try place()
        let content = try place.makeSource(bytes: 2 << 20)
        place.server.setBehaviours([.loseAnswer, .correct], for: "/files", method: "PATCH")
        let event = try await place.run(try upload(place))
        #expect(event?.success == true, "\(event?.message ?? "") \(place.logs)")
        #expect(place.server.tusUploads(at: "/files").map { $0.bytes == content } == [true])
        #expect(steps(place) == ["POST ", "PATCH /1", "HEAD /1"])
    }

    @Test("killed in the middle, the agent has the next one continue where the server is")
    func agentDeath() async throws {
        let place = try place()
        let content = try place.makeSource(bytes: 16 << 20)
        place.server.setBehaviours([.holdUpload(after: 2 << 20), .correct], for: "/files", method: "PATCH")
        let scheduler = try place.scheduler()
        let stream = scheduler.eventBus.events
        try await scheduler.start()
        try await scheduler.enqueue(upload(place), id: "u")
        await place.server.wait { $0.contains { $0.method == "PATCH" && $0.receivedBytes >= 2 << 20 } }
        try await place.killAgents()
        place.server.release("/files")
        place.server.release("/files/1")
        var iterator = stream.makeAsyncIterator()
        let event = await iterator.next()
        #expect(event?.success == true, "\(event?.message ?? "") \(place.logs)")
        #expect(place.server.tusUploads(at: "/files").map { $0.bytes == content } == [true])
        #expect(steps(place).filter { $0 == "POST " }.count == 1)
        #expect(steps(place).contains("HEAD /1"))
        let resumed = try #require(place.server.requests.last { $0.method == "PATCH" })
        #expect(Int64(resumed.header("Upload-Offset") ?? "") ?? 0 >= 2 << 20)
        await scheduler.shutdown()
    }

    @Test("an upload that the server no longer has is created again", arguments: [404, 410])
    func expired(status: Int) async throws {
        let place = try place()
        let content = try place.makeSource(bytes: 3 << 20)
        place.server.setBehaviours([.closeUpload(after: 1 << 20), .correct], for: "/files", method: "PATCH")
        place.server.setBehaviours([.status(status), .correct], for: "/files", method: "HEAD")
        let event = try await place.run(try upload(place))
        #expect(event?.success == true, "\(event?.message ?? "") \(place.logs)")
        #expect(steps(place) == ["POST ", "PATCH /1", "HEAD /1", "POST ", "PATCH /2"])
        #expect(place.server.tusUploads(at: "/files").last?.bytes == content)
    }

    @Test("an upload that the server has deleted when the rest is sent is created again", arguments: [404, 410])
    func goneUnderWay(status: Int) async throws {
        let place = try place()
        let content = try place.makeSource(bytes: 200_000)
        place.server.setBehaviours([.status(status), .correct], for: "/files", method: "PATCH")
        let event = try await place.run(try upload(place))
        #expect(event?.success == true, "\(event?.message ?? "") \(place.logs)")
        #expect(place.server.tusUploads(at: "/files").last?.bytes == content)
        #expect(steps(place) == ["POST ", "PATCH /1", "POST ", "PATCH /2"])
    }

    @Test("a server with another offset is asked for it")
    func conflict() async throws {
        let place = try place()
        let content = try place.makeSource(bytes: 200_000)
        place.server.setBehaviours([.status(409), .correct], for: "/files", method: "PATCH")
        let event = try await place.run(try upload(place))
        #expect(event?.success == true, "\(event?.message ?? "") \(place.logs)")
        #expect(place.server.tusUploads(at: "/files").map { $0.bytes == content } == [true])
        #expect(steps(place) == ["POST ", "PATCH /1", "HEAD /1", "PATCH /1"])
    }

    @Test("the upload fails if the server never agrees on an offset", arguments: [404, 409])
    func neverAgrees(status: Int) async throws {
        let place = try place()
        try place.makeSource(bytes: 1000)
        place.server.setBehaviour(.status(status), for: "/files", method: "PATCH")
        let event = try await place.run(try upload(place))
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains("\(status)") == true, "\(event?.message ?? "")")
        #expect(place.server.requests.count < 20)
    }

    @Test(
        "a server that makes nothing, or does not say where, fails the upload",
        arguments: [
            (Behaviour.status(404), "404"), (.status(413), "413"), (.status(201), "Location"),
            (
                .with { behaviour in
                    behaviour.status = 201
                    behaviour.headers = [HeaderField("Location", "ftp://127.0.0.1/x")]
                }, "Location"
            ),
        ])
    func nothingMade(behaviour: Behaviour, word: String) async throws {
        let place = try place()
        try place.makeSource(bytes: 1000)
        place.server.setBehaviour(behaviour, for: "/files", method: "POST")
        let event = try await place.run(try upload(place))
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains(word) == true, "\(event?.message ?? "")")
        #expect(place.server.requests.count == 1)
    }

    @Test("a relative Location is meant from the endpoint", arguments: ["/files/1", "files/1", "./files/1"])
    func relative(location: String) async throws {
        let place = try place()
        let content = try place.makeSource(bytes: 1000)
        place.server.setBehaviour(.headers([HeaderField("Location", location)]), for: "/files", method: "POST")
        let event = try await place.run(try upload(place))
        #expect(event?.success == true, "\(event?.message ?? "") \(place.logs)")
        #expect(place.server.tusUploads(at: "/files").map { $0.bytes == content } == [true])
    }

    @Test("a busy server is asked again, and a token that has run out is refreshed")
    func busy() async throws {
        let place = try place()
        let content = try place.makeSource(bytes: 200_000)
        place.server.require(.bearer(tokens: []), for: "/files")
        place.server.issueTokens(TokenIssuer(tokens: ["new"]), at: "/token")
        place.server.setBehaviours([.status(503), .correct], for: "/files", method: "PATCH")
        let event = try await place.run(
            try upload(place) {
                $0.options.authentication = .bearer(token: "old")
                $0.options.tokenRefresh = TokenRefresh(url: place.server.url("/token"), tokenPath: "data.access_token")
            })
        #expect(event?.success == true, "\(event?.message ?? "") \(place.logs)")
        #expect(place.server.tusUploads(at: "/files").map { $0.bytes == content } == [true])
        #expect(place.server.tokenCalls(at: "/token") == 1)
    }

    @Test("a place on another origin gets the file, but not what is secret")
    func foreignLocation() async throws {
        let place = try place()
        let content = try place.makeSource(bytes: 5000)
        let other = try LocalHTTPServer()
        other.acceptTus(at: "/files")
        try other.start()
        defer { other.stop() }
        // A resource has been created there already.
        let made = try ChildProcess(
            "/usr/bin/env",
            [
                "curl", "-s", "-X", "POST", "-H", "Tus-Resumable: 1.0.0", "-H", "Upload-Length: 5000",
                other.url("/files"),
            ],
            environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""], log: place.hostLog)
        #expect(await made.nextChange() == .exited(0))
        place.server.setBehaviour(
            .headers([HeaderField("Location", other.url("/files/1"))]), for: "/files", method: "POST")
        for authentication in [HTTPAuthentication.bearer(token: "secret")] {
            let event = try await place.run(
                try upload(place) {
                    $0.options.authentication = authentication
                    $0.options.headers = ["Cookie": "secret", "X-Plain": "for all"]
                })
            #expect(event?.success == true, "\(event?.message ?? "") \(place.logs)")
        }
        #expect(other.tusUploads(at: "/files").map { $0.bytes == content } == [true])
        #expect(place.server.requests.first?.header("Authorization") == "Bearer secret")
        let patch = try #require(other.requests.last)
        #expect(patch.method == "PATCH")
        #expect(patch.header("Authorization") == nil)
        #expect(patch.header("Cookie") == nil)
        #expect(patch.header("X-Plain") == "for all")
    }

    /// One that the text tells, and one that only its address tells: another name of this machine.
    private static let forbiddenHosts: [String] = {
        let hosts = (try? String(contentsOfFile: "/etc/hosts", encoding: .utf8)) ?? ""
        let names = hosts.split(separator: "\n").filter { $0.hasPrefix("127.") }
            .flatMap { $0.split(whereSeparator: \.isWhitespace).dropFirst() }
        return ["10.0.0.1"] + names.filter { !$0.contains("local") && !$0.hasPrefix("#") }.prefix(1).map(String.init)
    }()

    @Test("a place on a forbidden host is named, with the endpoint that named it", arguments: forbiddenHosts)
    func forbiddenPlace(host: String) async throws {
        let location = "http://\(host):1/files/1?key=secret"
        let place = try place()
        try place.makeSource(bytes: 1000)
        place.server.setBehaviour(.headers([HeaderField("Location", location)]), for: "/files", method: "POST")
        let event = try await place.run(try upload(place)) {
            $0.securityPolicy = .publicInternet
            $0.securityPolicy.allowedHosts = ["127.0.0.1:\(place.server.port)"]
        }
        let message = try #require(event?.message)
        #expect(message.hasPrefix("POST \(place.server.url("/files")): "), "\(message)")
        let shown = location.replacing("?key=secret", with: "?…")
        for words in ["(Location)", shown, "securityPolicy"] { #expect(message.contains(words), "\(message)") }
        #expect(!message.contains("secret") && place.server.requests.count == 1)
    }

    @Test("the upload of a file that has changed between two attempts is not continued")
    func changed() async throws {
        let place = try place()
        try place.makeSource(bytes: 16 << 20)
        place.server.setBehaviours([.holdUpload(after: 1 << 20), .correct], for: "/files", method: "PATCH")
        let client = AgentClient(place)
        await client.listen()
        try await client.upload("u", "/files", form: .tus()) { $0.options.retry = .atOnce(4) }
        await place.server.wait { $0.contains { $0.method == "PATCH" && $0.receivedBytes >= 1 << 20 } }
        // Before the death: the client starts another agent at once, and that continues at once.
        try place.makeSource(bytes: (16 << 20) + 1)
        try await place.killAgents()
        let failure = try await client.outcome("u").failure
        #expect(failure?.kind == .sourceChanged, "\(failure?.message ?? "")")
        #expect(place.server.tusUploads(at: "/files").allSatisfy { !$0.isComplete })
        await client.service.disconnect()
    }
}
