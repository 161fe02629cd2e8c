import BackgroundWorkModel
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

@testable import BackgroundWork

/// The built-in transfer workers from their input to their event, with a folder for a daemon.
struct TransferWorkerTests {
    let fixture: SchedulerFixture
    let folder: TemporaryFolder

    init() throws {
        fixture = try SchedulerFixture()
        folder = try TemporaryFolder()
    }

    private var daemon: String { fixture.folder.path + "/daemon" }

    private func run(
        _ worker: String, _ input: some Encodable, service: FolderTransferService? = nil,
        policy: SecurityPolicy = .publicInternet, retryPolicy: RetryPolicy = .never
    ) async throws -> (event: TaskCompletionEvent, output: [String: Any]) {
        let scheduler = try fixture.open {
            $0.securityPolicy = policy
            $0.transferService = service
        }
        let events = scheduler.eventBus.events
        try await scheduler.start()
        let json = String(decoding: try JSONEncoder().encode(input), as: UTF8.self)
        try await scheduler.enqueue(
            TaskRequest(workerClassName: worker, inputJSON: json, retryPolicy: retryPolicy), id: "t")
        let event = try #require(await SchedulerFixture.take(1, from: events).first)
        await scheduler.shutdown()
        let output = event.outputJSON.flatMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) }
        return (event, output as? [String: Any] ?? [:])
    }

    private func put(_ text: String, at name: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: folder.path + "/" + name))
        return folder.path + "/" + name
    }

    private func text(_ name: String) -> String? {
        try? String(contentsOfFile: folder.path + "/" + name, encoding: .utf8)
    }

    @Test("an upload finishes with what the server said, and its file stays")
    func upload() async throws {
        let path = try put("photo", at: "photo.jpg")
        let service = try FolderTransferService(folder: daemon)
        let upload = UploadConfiguration(url: "https://u:p@example.com/photos?token=x", filePath: path)
        let (event, output) = try await run("BackgroundUploadWorker", upload, service: service)
        #expect(event.outcome == .succeeded)
        #expect(event.message == "sent \(path) to https://example.com/photos, status 201")
        #expect(output["filePath"] as? String == path)
        #expect(output["statusCode"] as? Int == 201)
        #expect(output["bytes"] as? Int == 5)
        #expect(output["url"] as? String == "https://example.com/photos")
        #expect(output["responseBody"] as? String == "thank you")
        #expect(output["durationMs"] as? Int == 12)
        #expect(output["requests"] as? Int == 1)
        #expect((output["headers"] as? [String: String]) == ["etag": "\"1\""])
        #expect(text("photo.jpg") == "photo")
        #expect(service.records.isEmpty)
    }

    @Test("an upload takes the file's identity to the daemon")
    func identity() async throws {
        let path = try put("photo", at: "photo.jpg")
        let seen = Recorder<UploadSource>()
        let service = try FolderTransferService(folder: daemon) { specification, outcome in
            if case .upload(let job) = specification.job { seen.add(job.source) }
            return outcome
        }
        _ = try await run(
            "BackgroundUploadWorker", UploadConfiguration(url: "https://h/", filePath: path), service: service)
        let status = try #require(SystemFile.status(of: path))
        let source = try #require(seen.values.first)
        #expect(source.path == path)
        #expect(source.bytes == 5)
        #expect(source.inode == status.inode)
        #expect(source.modifiedNs == status.writtenNs)
    }

    @Test("a path that is not a readable regular file is not handed off, and a pipe is not waited for")
    func sources() async throws {
        let pipe = folder.path + "/pipe"
        #expect(SystemFile.makePipe(at: pipe))
        for (path, words) in [(folder.path + "/none", "No such file"), (folder.path, "regular"), (pipe, "regular")] {
            let service = try FolderTransferService(folder: daemon)
            let upload = UploadConfiguration(url: "https://h/", filePath: path)
            let (event, _) = try await run("BackgroundUploadWorker", upload, service: service)
            #expect(event.outcome == .failed)
            #expect(event.message?.contains("\"filePath\"") == true, "\(event.message ?? "")")
            #expect(event.message?.contains(words) == true, "\(event.message ?? "")")
            #expect(service.records.isEmpty)
        }
    }

    @Test("a file that TLS needs and that cannot be read is found out before anything is handed off")
    func unreadableCertificate() async throws {
        var download = DownloadConfiguration(url: "https://h/", savePath: folder.path + "/f")
        download.options.tls.additionalAuthoritiesPath = folder.path + "/none.pem"
        let (event, _) = try await run(
            "BackgroundDownloadWorker", download, service: try FolderTransferService(folder: daemon))
        #expect(event.outcome == .failed)
        #expect(event.message?.contains("\"tls.additionalAuthoritiesPath\"") == true, "\(event.message ?? "")")
    }

    @Test("a download's output says where the file is and how it came")
    func download() async throws {
        let (event, output) = try await run(
            "BackgroundDownloadWorker",
            DownloadConfiguration(url: "https://h/f?x=y", savePath: folder.path + "/new/f.bin"),
            service: try FolderTransferService(folder: daemon))
        #expect(event.outcome == .succeeded)
        #expect(event.message == "saved to \(folder.path)/new/f.bin")
        #expect(output["savePath"] as? String == folder.path + "/new/f.bin")
        #expect(output["url"] as? String == "https://h/f")
        #expect(output["statusCode"] as? Int == 200)
        #expect(output["durationMs"] as? Int == 12)
        #expect(output["skipped"] == nil)
    }

    @Test("into a folder, a download goes under the name that the server suggests, and never out of it")
    func folders() async throws {
        let service = try FolderTransferService(folder: daemon) { _, outcome in
            var outcome = outcome
            if outcome.reference.key.generation > 1 { outcome.details?.suggestedName = "../../evil" }
            return outcome
        }
        let inFolder = DownloadConfiguration(url: "https://h/f", savePath: folder.path)
        _ = try await run("BackgroundDownloadWorker", inFolder, service: service)
        #expect(text("suggested.bin") == "the file of transfer 1")
        let (_, output) = try await run("BackgroundDownloadWorker", inFolder, service: service)
        #expect(output["savePath"] as? String == folder.path + "/evil")
    }

    @Test("the policy rename takes the next free name, and says which")
    func rename() async throws {
        let path = try put("a", at: "f.bin")
        _ = try put("b", at: "f_1.bin")
        var download = DownloadConfiguration(url: "https://h/f", savePath: path)
        download.onDuplicate = .rename
        let (event, output) = try await run(
            "BackgroundDownloadWorker", download, service: try FolderTransferService(folder: daemon))
        #expect(event.message == "saved to \(folder.path)/f_2.bin, because \(path) was taken")
        #expect(output["savePath"] as? String == folder.path + "/f_2.bin")
        #expect(text("f_2.bin") == "the file of transfer 1")
        #expect(folder.names == ["f.bin", "f_1.bin", "f_2.bin"])
    }

    @Test("the policy rename gives twenty downloads to one path twenty names")
    func renameTogether() async throws {
        let service = try FolderTransferService(folder: daemon)
        let scheduler = try fixture.open { $0.transferService = service }
        let events = scheduler.eventBus.events
        try await scheduler.start()
        var download = DownloadConfiguration(url: "https://h/f", savePath: folder.path + "/f.bin")
        download.onDuplicate = .rename
        let json = String(decoding: try JSONEncoder().encode(download), as: UTF8.self)
        for _ in 0..<20 {
            try await scheduler.enqueue(TaskRequest(workerClassName: "BackgroundDownloadWorker", inputJSON: json))
        }
        let ended = await SchedulerFixture.take(20, from: events)
        await scheduler.shutdown()
        #expect(ended.allSatisfy { $0.success })
        #expect(Set(folder.names) == Set(["f.bin"] + (1..<20).map { "f_\($0).bin" }))
        #expect(Set(folder.names.compactMap(text)).count == 20)
    }

    @Test("the policy skip asks nothing of the daemon when the file is there, and succeeds")
    func skip() async throws {
        let path = try put("theirs", at: "f.bin")
        var download = DownloadConfiguration(url: "https://h/f", savePath: path)
        download.onDuplicate = .skip
        let seen = Recorder<TransferOutcome>()
        let service = try FolderTransferService(folder: daemon) { _, outcome in
            seen.add(outcome)
            return outcome
        }
        let (event, output) = try await run("BackgroundDownloadWorker", download, service: service)
        #expect(event.outcome == .succeeded)
        #expect(event.message == "skipped: \(path) already exists, so nothing was downloaded")
        #expect(output["skipped"] as? Bool == true)
        #expect(output["bytes"] as? Int == 6)
        #expect(seen.values.isEmpty)
        #expect(text("f.bin") == "theirs")
    }

    @Test("the policy skip discards what was fetched when a file has appeared meanwhile")
    func skipOnTheWay() async throws {
        let path = folder.path + "/f.bin"
        var download = DownloadConfiguration(url: "https://h/f", savePath: path)
        download.onDuplicate = .skip
        let service = try FolderTransferService(folder: daemon) { _, outcome in
            try? Data("theirs".utf8).write(to: URL(filePath: path))
            return outcome
        }
        let (event, output) = try await run("BackgroundDownloadWorker", download, service: service)
        #expect(event.message?.hasPrefix("skipped: a file was put at \(path)") == true, "\(event.message ?? "")")
        #expect(output["skipped"] as? Bool == true)
        #expect(folder.names == ["f.bin"])
        #expect(text("f.bin") == "theirs")
    }

    @Test("a dead process's reservation with other values is cancelled, and made again with the current ones")
    func conflict() async throws {
        let path = try put("photo", at: "photo.jpg")
        let service = try FolderTransferService(folder: daemon)
        let stateStore = TransferStateStore(directory: folder.path, clock: fixture.clock) { _ in }
        let handOff = TransferHandOff(
            service: service, stateStore: stateStore, store: "s", sessionIdentifier: "x",
            securityPolicy: .unrestricted, clock: fixture.clock, isHeld: { _ in false },
            environment: { ["http_proxy": "p:1"] })
        let key = TransferKey(workID: "t", generation: 1)
        let download = ValidatedTransfer(
            url: "http://h/", path: path, sessionIdentifier: "x", options: TransferOptions())
        try await handOff.handOff(download, to: path, job: .download(.init()), key: key, workerName: "W")
        #expect(service.records.first?.specification.options.proxy == .url("http://p:1"))
        var later = handOff
        later.environment = { [:] }
        try await later.handOff(download, to: path, job: .download(.init()), key: key, workerName: "W")
        #expect(service.records.map(\.specification.options.proxy) == [.direct])
        #expect(try await stateStore.loadEntries().count == 1)
    }

    @Test("work that fails after its transfer was reserved has the daemon forget it")
    func takenBack() async throws {
        struct Broken: Error {}
        let service = try FolderTransferService(folder: daemon) { _, _ in throw Broken() }
        let download = DownloadConfiguration(url: "https://h/f", savePath: folder.path + "/f")
        let (event, _) = try await run("BackgroundDownloadWorker", download, service: service)
        #expect(event.outcome == .failed)
        // A start sends what is still to be cancelled before it returns.
        let next = try fixture.open { $0.transferService = service }
        try await next.start()
        #expect(service.records.isEmpty)
        await next.shutdown()
        let state = try String(contentsOfFile: fixture.folder.path + "/bg_url_session_state.json", encoding: .utf8)
        #expect(!state.contains("taskIdentifier"))
    }

    @Test("a wait that the server asks for is respected, up to a day")
    func patience() async throws {
        let service = try FolderTransferService(folder: daemon) { _, outcome in
            var outcome = outcome
            outcome.result = .failed(
                TransferFailure(
                    kind: .status, message: "503", isRetryable: true, statusCode: 503, retryAfterMs: 1 << 60))
            return outcome
        }
        let scheduler = try await fixture.start { $0.transferService = service }
        let download = DownloadConfiguration(url: "https://h/f", savePath: folder.path + "/f")
        let json = String(decoding: try JSONEncoder().encode(download), as: UTF8.self)
        try await scheduler.enqueue(TaskRequest(workerClassName: "BackgroundDownloadWorker", inputJSON: json), id: "t")
        for await info in scheduler.updates(id: "t") where info.runAttempt == 1 && info.state == .pending {
            #expect(info.due == fixture.clock.now.addingTimeInterval(86_400))
            break
        }
        await scheduler.shutdown()
    }
}
