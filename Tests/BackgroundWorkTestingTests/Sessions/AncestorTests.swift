import BackgroundWork
import BackgroundWorkSessionTesting
import BackgroundWorkTesting
import BackgroundWorkURLSession
import Foundation
import TestSupport
import Testing

/// An app that had the ancestor, KMP WorkManager, and is updated while downloads are in progress.
@Suite("An app moves over from the ancestor", .timeLimit(.minutes(5)))
struct AncestorTests {
    static let content = Array("the film".utf8)
    static let session = "dev.brewkits.kmpworkmanager.background"
    static let library = "/Library/Application Support/dev.brewkits.kmpworkmanager"

    let server: LocalHTTPServer
    let daemon: SimulatedURLSessionDaemon
    let folder: TemporaryFolder

    init() throws {
        server = try LocalHTTPServer()
        server.serve(.bytes(Self.content), at: "/film.mp4")
        server.setBehaviour(.holdAfter(bytes: 2), for: "/film.mp4")
        try server.start()
        daemon = try SimulatedURLSessionDaemon()
        folder = try TemporaryFolder()
    }

    /// A container of the app, with the ancestor's folder and Documents.
    private func container() throws -> String {
        let path = folder.path + "/" + UUID().uuidString
        for name in [Self.library, "/Documents"] {
            try FileManager.default.createDirectory(atPath: path + name, withIntermediateDirectories: true)
        }
        return path
    }

    private func stateFile(of container: String) -> URL {
        URL(filePath: container + Self.library + "/bg_url_session_state.json")
    }

    /// What the ancestor's `enqueueDownload` does: an entry, without the version while it is 1, then `resume`. Its tasks
    /// have no description.
    private func beginAsAncestor(in container: String, worker: String) async throws -> SimulatedSessions {
        let sessions = try SimulatedSessions(daemon)
        let session = sessions.session(Self.session, of: "", receiver: EventRecorder())
        let task = session.download(URLRequest(url: try #require(URL(string: server.url("/film.mp4")))))
        let number = task.taskIdentifier
        let text = """
            {"entries":{"\(Self.session):\(number)":{"sessionIdentifier":"\(Self.session)","taskIdentifier":\(number),\
            "savePath":"\(container)/Documents/film.mp4","workerName":"\(worker)","createdAtMs":1790000000000}}}
            """
        try Data(text.utf8).write(to: stateFile(of: container), options: .atomic)
        task.resume()
        await daemon.wait { $0.contains { $0.event == .requested(session: Self.session, task: number) } }
        return sessions
    }

    private func scheduler(in container: String, _ sessions: SimulatedSessions) throws -> WorkScheduler {
        var configuration = WorkScheduler.Configuration(directory: URL(filePath: container + Self.library))
        configuration.sessionIdentifier = "app"
        configuration.baseFolders = ["app": URL(filePath: container)]
        configuration.securityPolicy = .unrestricted  // the server is on this machine
        configuration.useSimulatedSessions(sessions)
        return try WorkScheduler(configuration: configuration, workers: WorkerRegistry())
    }

    @Test(
        "its download arrives, with one event under its worker's name, and the state file is emptied",
        arguments: [(false, false), (false, true), (true, false), (true, true)])
    func inProgress(endsBefore: Bool, containerMoves: Bool) async throws {
        let former = try container()
        let worker = endsBefore ? "PhotoBackupWorker" : "IosBackgroundDownloadWorker"
        let sessions = try await beginAsAncestor(in: former, worker: worker)
        sessions.disconnect()
        if endsBefore {
            server.release("/film.mp4")
            await daemon.wait { $0.contains { $0.event == .completed(session: Self.session, task: 1, errorCode: nil) } }
        }
        var container = former
        if containerMoves {
            container = folder.path + "/" + UUID().uuidString
            try FileManager.default.moveItem(atPath: former, toPath: container)
        }
        let next = try SimulatedSessions(daemon)
        let scheduler = try scheduler(in: container, next)
        let handled = Recorder<Bool>()
        await MainActor.run {
            scheduler.backgroundSessions.handleEvents(forBackgroundURLSession: Self.session) { handled.add(true) }
        }
        let events = scheduler.eventBus.events
        _ = try await scheduler.sweepStaleStateOnLaunch()
        try await scheduler.start()
        server.release("/film.mp4")
        var found: [TaskCompletionEvent] = []
        for await event in events {
            found.append(event)
            break
        }
        await handled.wait { !$0.isEmpty }
        await scheduler.shutdown()
        for await event in events { found.append(event) }
        #expect(found.map(\.taskName) == [worker])
        #expect(found.first?.success == true)
        let film = container + "/Documents/film.mp4"
        #expect(found.first?.message?.contains(film) == true)
        #expect(FileManager.default.contents(atPath: film) == Data(Self.content))
        #expect(try entries(in: container).isEmpty)
        daemon.stop()
    }

    @Test(
        "its input runs under its names, and a version of the app with the ancestor can read the entry",
        arguments: [
            "IosBackgroundDownloadWorker", "dev.brewkits.kmpworkmanager.workers.builtins.IosBackgroundDownloadWorker",
        ])
    func input(worker: String) async throws {
        let container = try container()
        let sessions = try SimulatedSessions(daemon)
        let scheduler = try scheduler(in: container, sessions)
        let events = scheduler.eventBus.events
        try await scheduler.start()
        let film = container + "/Documents/film.mp4"
        let input = #"{"url":"\#(server.url("/film.mp4"))","savePath":"\#(film)","isDiscretionary":false}"#
        try await scheduler.enqueue(TaskRequest(workerClassName: worker, inputJSON: input), id: "film")
        await daemon.wait { $0.contains { $0.event == .requested(session: Self.session, task: 1) } }
        let entry = try #require(try entries(in: container)["\(Self.session):1"])
        #expect(entry.sessionIdentifier == Self.session && entry.taskIdentifier == 1)
        #expect(entry.savePath == film && entry.workerName == worker)
        server.release("/film.mp4")
        for await event in events {
            #expect(event.taskName == worker && event.success)
            break
        }
        await scheduler.shutdown()
        daemon.stop()
    }

    /// As the ancestor's reader decodes the file: it needs these fields, and ignores others.
    private struct File: Decodable {
        struct Entry: Decodable {
            var sessionIdentifier: String
            var taskIdentifier: Int64
            var savePath: String
            var workerName: String
            var createdAtMs: Int64
        }

        var schemaVersion: Int?
        var entries: [String: Entry]?
    }

    private func entries(in container: String) throws -> [String: File.Entry] {
        let file = try JSONDecoder().decode(File.self, from: Data(contentsOf: stateFile(of: container)))
        #expect(file.schemaVersion ?? 1 == 1)
        return file.entries ?? [:]
    }
}
