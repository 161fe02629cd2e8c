import BackgroundWork
import BackgroundWorkTesting
import BackgroundWorkTransfers
import Foundation
import Testing

/// Servers that the policy for the public internet forbids, with a real agent.
@Suite(.serialized)
struct SecurityPolicyTests {
    /// Nothing is stored, the reason says what to do about it, and no server gets a request.
    private func expectRefusal(_ reason: String?, naming words: String, in place: Workplace) {
        for words in [words, "securityPolicy", "--allow-private"] {
            #expect(reason?.contains(words) == true, "\(reason ?? "")")
        }
        #expect(place.server.requests.isEmpty)
        #expect(place.agents.isEmpty && place.journal.isEmpty && place.stateEntries == 0)
    }

    @Test(
        "a certainly local address or name is refused for a download, and no agent is started for it",
        arguments: ["127.0.0.1", "127.1", "0x7f000001", "2130706433", "[::ffff:127.0.0.1]", "localhost", "localhost."])
    func downloads(host: String) async throws {
        let place = try Workplace(serving: HostDeathTests.content)
        let request = try place.download(url: "http://\(host):\(place.server.port)/file", attempts: 3)
        let reason = try await place.refusal(of: request) { $0.securityPolicy = .publicInternet }
        expectRefusal(reason, naming: "\"url\"", in: place)
    }

    @Test("a local address is refused for an upload")
    func upload() async throws {
        let place = try Workplace(serving: HostDeathTests.content)
        _ = try place.makeSource(bytes: 10)
        let upload = UploadConfiguration(url: place.server.url("/upload"), filePath: place.sourcePath)
        let request = TaskRequest(
            workerClassName: "BackgroundUploadWorker",
            inputJSON: String(decoding: try JSONEncoder().encode(upload), as: UTF8.self))
        let reason = try await place.refusal(of: request) { $0.securityPolicy = .publicInternet }
        expectRefusal(reason, naming: "\"url\"", in: place)
    }

    @Test("a local mirror, token server or proxy is refused")
    func others() async throws {
        let changes: [(String, (inout DownloadConfiguration) -> Void)] = [
            ("\"mirrors\"", { $0.mirrors = ["https://example.com/f", "https://10.0.0.1/f"] }),
            ("\"tokenRefresh.url\"", { $0.options.tokenRefresh = TokenRefresh(url: "https://a.localhost/token") }),
            ("\"proxy\"", { $0.options.proxy = .url("http://127.0.0.1:3128") }),
            ("\"proxy\"", { $0.options.proxy = .url("socks5h://printer.local:1080") }),
        ]
        for (field, change) in changes {
            let place = try Workplace(serving: HostDeathTests.content)
            var download = DownloadConfiguration(url: "https://example.com/f", savePath: place.savePath)
            download.options.retry = .never
            change(&download)
            let request = TaskRequest(
                workerClassName: "BackgroundDownloadWorker",
                inputJSON: String(decoding: try JSONEncoder().encode(download), as: UTF8.self), retryPolicy: .never)
            let reason = try await place.refusal(of: request) { $0.securityPolicy = .publicInternet }
            expectRefusal(reason, naming: field, in: place)
        }
    }

    @Test("a local address fails a direct transfer, which may be asked for again under another policy")
    func direct() async throws {
        let place = try Workplace(serving: HostDeathTests.content)
        var configuration = place.standaloneConfiguration
        configuration.securityPolicy = .publicInternet
        let downloader = try Downloader(configuration: configuration)
        let response = await downloader.networkResponse(from: place.standaloneDownload(), with: "one")
        guard case .failed(let error as WorkerInputError) = response else {
            Issue.record("\(response)")
            return
        }
        #expect(error.description.contains("securityPolicy"), "\(error)")
        #expect(place.server.requests.isEmpty && place.standaloneRecord.isEmpty)
        await downloader.shutdown()
        let other = try place.downloader()
        #expect(await other.networkResponse(from: place.standaloneDownload(), with: "one").value != nil)
        await other.shutdown()
    }

    @Test("a server cannot have an upload sent to an address that is forbidden")
    func uploadLocation() async throws {
        let place = try Workplace(serving: HostDeathTests.content)
        place.server.acceptTus(at: "/files")
        try place.makeSource(bytes: 1000)
        let other = try LocalHTTPServer()
        try other.start()
        defer { other.stop() }
        place.server.setBehaviour(
            .headers([HeaderField("Location", other.url("/files/1"))]), for: "/files", method: "POST")
        let event = try await place.run(try place.upload("/files") { $0.form = .tus() }) {
            $0.securityPolicy = .publicInternet
            $0.securityPolicy.allowedHosts = ["127.0.0.1:\(place.server.port)"]
        }
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains("an address of this machine") == true, "\(event?.message ?? "")")
        #expect(place.server.requests.count == 1)
        #expect(other.acceptedConnections == 0)
    }

    @Test("a direct transfer continues with its original policy, under a narrower one as well")
    func standaloneGoesOn() async throws {
        let place = try Workplace(serving: HostDeathTests.content)
        place.server.setBehaviour(.holdAfter(bytes: 1000), for: "/file")
        let first = try place.downloader()
        let waiting = Task { await first.networkResponse(from: place.standaloneDownload(), with: "one") }
        try await place.wait(for: "a part of the file") { (place.stagedBytes ?? 0) >= 1000 }
        await first.shutdown()
        _ = await waiting.value
        var configuration = place.standaloneConfiguration
        configuration.securityPolicy = .publicInternet
        let second = try Downloader(configuration: configuration)
        async let response = second.networkResponse(from: place.standaloneDownload(), with: "one")
        place.server.release("/file")
        #expect(await response.value != nil)
        await second.shutdown()
    }

    @Test(
        "the agent checks the connected address, and rejects a name that can only be local, whether or not it resolves",
        arguments: ["127.0.0.1", "localhost", "localhost.", "nowhere.localhost", "nowhere.local."])
    func names(host: String) async throws {
        let place = try Workplace(serving: HostDeathTests.content)
        let client = AgentClient(place)
        await client.listen()
        try await client.download("one") {
            $0.url = "http://\(host):\(place.server.port)/file"
            $0.securityPolicy = .publicInternet
            $0.options.retry = .atOnce(3)
        }
        let failure = try await client.outcome("one").failure
        #expect(failure?.kind == .refused)
        #expect(failure?.isRetryable == false)
        for words in ["securityPolicy", "--allow-private"] {
            #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
        }
        #expect(place.server.requests.isEmpty)
        await client.service.disconnect()
    }
}
