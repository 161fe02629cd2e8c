import BackgroundWork
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// Inputs that name what the package keeps in the directories of its schedulers.
struct OwnFileInputTests {
    private static let names = [
        "work.sqlite", "work.sqlite-wal", "work.sqlite-shm", "work.sqlite-journal", "work.sqlite.lock",
        "work.sqlite.corrupt-20260102T030405Z", "standalone.sqlite", "direct.lock", "direct.alive",
        "bg_url_session_state.json", "bg_url_session_state.json.new", "bg_url_session_state.json.lock",
        "base_folders.json", ".mode-1", "agent", "agent/agent.sqlite", "agent/agent.lock", "agent/staging/1.part",
        "owners/a.lock", "owners/new/x", "url_sessions/journal.sqlite", "partials/x", "WORK.SQLITE", "Agent/x",
        "wor\u{212a}.\u{17f}qlite", "./work.sqlite", "/agent//x", "age\u{200d}nt/x",
    ]

    private func words(_ answer: ScheduleResult) -> String? {
        if case .rejectedBySystem(let reason) = answer { return reason }
        return nil
    }

    private func requests(_ path: String) throws -> [(field: String, request: TaskRequest)] {
        let download = DownloadConfiguration(url: "https://example.com/f", savePath: path)
        let upload = UploadConfiguration(url: "https://example.com/f", filePath: path)
        var secured = DownloadConfiguration(url: "https://example.com/f", savePath: "/home/me/f")
        secured.options.tls.clientCertificatePath = path
        return [
            ("savePath", TaskRequest(BackgroundDownloadWorker.self, input: download)),
            ("filePath", TaskRequest(BackgroundUploadWorker.self, input: upload)),
            ("tls", TaskRequest(BackgroundDownloadWorker.self, input: secured)),
        ]
    }

    @Test("the package's own files are refused, also where the policy allows the directory", arguments: names)
    func ownFiles(name: String) async throws {
        let fixture = try SchedulerFixture()
        let service = try ScriptedTransferService()
        let scheduler = try fixture.open {
            $0.securityPolicy.allowedDirectories = [fixture.folder.path, "/home/me"]
            $0.scriptedTransfers = service
        }
        for (field, request) in try requests(fixture.folder.path + "/" + name) {
            let reason = words(try await scheduler.enqueue(request, id: "r"))
            #expect(reason?.contains("\"\(field)") == true, "\(reason ?? "")")
            #expect(reason?.contains("keeps for itself") == true, "\(reason ?? "")")
            #expect(reason?.contains("another") == true, "\(reason ?? "")")
        }
        #expect(try await scheduler.infos(matching: WorkQuery()).isEmpty)
        await scheduler.shutdown()
    }

    @Test(
        "other names in the directory are free",
        arguments: ["downloads/f", "f", "work", "work.sql", "agents/f", "agent.zip", "my/work.sqlite", "mode-1"])
    func others(name: String) async throws {
        let fixture = try SchedulerFixture()
        let service = try ScriptedTransferService()
        let scheduler = try fixture.open { $0.scriptedTransfers = service }
        for (_, request) in try requests(fixture.folder.path + "/" + name) {
            #expect(try await scheduler.enqueue(request, id: "r") == .accepted(id: "r"))
        }
        await scheduler.shutdown()
    }

    @Test("what one scheduler of a process keeps is closed to the inputs of another, by each of its paths")
    func twoSchedulers() async throws {
        let (first, second) = (try SchedulerFixture(), try SchedulerFixture())
        let link = second.folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: first.folder.path)
        let service = try ScriptedTransferService()
        let other = try WorkScheduler(configuration: .init(directory: URL(filePath: link)), workers: WorkerRegistry())
        let scheduler = try second.open { $0.scriptedTransfers = service }
        for directory in [first.folder.path, link, second.folder.path] {
            for (_, request) in try requests(directory + "/work.sqlite") {
                #expect(words(try await scheduler.enqueue(request, id: "r"))?.contains("keeps for itself") == true)
            }
        }
        await other.shutdown()
        await scheduler.shutdown()
    }

    @Test("a link that leads there is refused when the request runs, and nothing is replaced or handed off")
    func links() async throws {
        let fixture = try SchedulerFixture()
        let service = try ScriptedTransferService()
        let scheduler = try await fixture.start { $0.scriptedTransfers = service }
        let elsewhere = try TemporaryFolder()
        let (folder, file) = (elsewhere.path + "/folder", elsewhere.path + "/file")
        try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: fixture.folder.path)
        try FileManager.default.createSymbolicLink(
            atPath: file, withDestinationPath: fixture.folder.path + "/work.sqlite")
        var paths: [(id: String, request: TaskRequest)] = []
        for (index, path) in [folder + "/work.sqlite", folder + "/owners/x", folder + "/agent/new/x"].enumerated() {
            paths.append(("\(index)", try requests(path)[0].request))
        }
        for (index, path) in [file, folder + "/work.sqlite"].enumerated() {
            paths.append(("u\(index)", try requests(path)[1].request))
            paths.append(("t\(index)", try requests(path)[2].request))
        }
        for (id, request) in paths {
            #expect(try await scheduler.enqueue(request, id: id) == .accepted(id: id))
        }
        await scheduler.waitUntilIdle()
        for (id, _) in paths {
            let info = try #require(try await scheduler.info(id: id))
            #expect(info.state == .failed, "\(id)")
            #expect(info.message?.contains("keeps for itself") == true, "\(id): \(info.message ?? "")")
        }
        #expect(service.transfers.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: fixture.folder.path + "/agent"))
        await scheduler.shutdown()
    }

    @Test("a name that the server suggests does not replace a database in the folder that the input names")
    func suggestedName() async throws {
        let fixture = try SchedulerFixture()
        let service = try ScriptedTransferService()
        let scheduler = try await fixture.start { $0.scriptedTransfers = service }
        let database = fixture.folder.path + "/work.sqlite"
        let before = SystemFile.status(of: database)?.inode
        var events = scheduler.eventBus.events.makeAsyncIterator()
        for (index, policy) in [DuplicatePolicy.overwrite, .rename].enumerated() {
            let id = "d\(index)"
            var download = DownloadConfiguration(url: "https://example.com/work.sqlite", savePath: fixture.folder.path)
            download.onDuplicate = policy
            try await scheduler.enqueue(TaskRequest(BackgroundDownloadWorker.self, input: download), id: id)
            await service.untilStarted(workID: id)
            try service.end(workID: id, with: .downloaded(Array("x".utf8), suggestedName: "work.sqlite"))
            let event = try #require(await events.next())
            #expect(event.outcome == .failed && event.workID == id)
            #expect(event.message?.contains("keeps for itself") == true, "\(event.message ?? "")")
        }
        #expect(SystemFile.status(of: database)?.inode == before)
        await scheduler.shutdown()
    }

    @Test("all that a scheduler makes in its directory is among what is refused")
    func nothingForgotten() async throws {
        let fixture = try SchedulerFixture()
        let service = try ScriptedTransferService { _ in .downloaded(Array("x".utf8)) }
        let scheduler = try await fixture.start {
            $0.scriptedTransfers = service
            $0.baseFolders = ["home": URL(filePath: "/home")]
        }
        let saved = fixture.folder.path + "/saved"
        let download = DownloadConfiguration(url: "https://example.com/f", savePath: saved)
        var events = scheduler.eventBus.events.makeAsyncIterator()
        try await scheduler.enqueue(TaskRequest(BackgroundDownloadWorker.self, input: download), id: "d")
        let event = try #require(await events.next())
        #expect(event.success, "\(event.message ?? "")")
        #expect(FileManager.default.fileExists(atPath: saved))
        let names = fixture.folder.names.filter { $0 != "saved" }
        #expect(names.contains("work.sqlite") && names.contains("owners"))
        for name in names {
            let reason = words(
                try await scheduler.enqueue(try requests(fixture.folder.path + "/" + name)[0].request, id: "r"))
            #expect(reason?.contains("keeps for itself") == true, "\(name)")
        }
        await scheduler.shutdown()
    }
}
