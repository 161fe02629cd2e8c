import BackgroundWork
import BackgroundWorkSessionTesting
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// What Apple's systems do to transfers, done by a simulated daemon to an app whose launches are all in this process.
@Suite(.serialized, .fewAtATime)
struct MisfortuneTests {
    static let content = SessionTests.content
    static let held = SessionTests.held

    /// One launch of the app.
    final class App: Sendable {
        let scheduler: WorkScheduler
        let sessions: SimulatedSessions

        /// - Parameter container: the app's container now, in which the scheduler's directory is.
        init(_ stage: SessionPlace, container: String? = nil) throws {
            let sessions = try SimulatedSessions(stage.daemon)
            self.sessions = sessions
            scheduler = try stage.place.scheduler { configuration in
                if let container {
                    configuration.directory = URL(filePath: container + "/scheduler")
                    configuration.baseFolders = ["app": URL(filePath: container)]
                }
                configuration.sessionIdentifier = SessionPlace.session
                configuration.useSimulatedSessions(sessions)
            }
        }

        /// Downloads files that the server holds, and returns when the daemon has some of each.
        func begin(_ names: [String], in stage: SessionPlace) async throws {
            for name in names {
                stage.place.server.serve(.bytes(MisfortuneTests.content), at: "/\(name)")
                stage.place.server.setBehaviour(.holdAfter(bytes: MisfortuneTests.held), for: "/\(name)")
                var download = DownloadConfiguration(
                    url: stage.place.server.url("/\(name)"), savePath: stage.place.folder.path + "/\(name)")
                download.options.retry = .never
                try await scheduler.backgroundSessions.enqueueDownload(
                    configuration: download, id: name, retryPolicy: .never)
                try await stage.place.wait(for: "the beginning of \(name)") {
                    stage.place.server.requests.contains {
                        $0.path == "/\(name)" && $0.bodyBytes >= MisfortuneTests.held
                    }
                }
            }
        }

        /// The app's process ends.
        func die() async {
            sessions.disconnect()
            await scheduler.shutdown()
        }

        /// Starts, and returns how the work ended, by id.
        func run(until count: Int) async throws -> [String: String] {
            var ended: [String: String] = [:]
            let events = scheduler.eventBus.events
            try await scheduler.start()
            for await event in events {
                // Each once.
                #expect(ended[event.workID] == nil)
                ended[event.workID] = "\(event.outcome)"
                if ended.count == count { break }
            }
            return ended
        }
    }

    private func release(_ names: [String], of stage: SessionPlace) {
        for name in names {
            stage.place.server.setBehaviour(.correct, for: "/\(name)")
            stage.place.server.release("/\(name)")
        }
    }

    private func expectSaved(_ names: [String], in stage: SessionPlace) {
        for name in names { #expect(stage.place.hasSaved(Self.content, at: stage.place.folder.path + "/\(name)")) }
    }

    @Test(
        "events that come in another order, and twice, end each download once",
        arguments: [SimulatedURLSessionDaemon.Behavior.Order.reversed, .permuted([1, 2, 0])])
    func order(_ order: SimulatedURLSessionDaemon.Behavior.Order) async throws {
        let (stage, names) = (try SessionPlace(launches: false), ["a", "b", "c"])
        let first = try App(stage)
        try await first.scheduler.start()
        try await first.begin(names, in: stage)
        await first.die()
        await stage.daemon.setBehavior {
            $0.order = order
            $0.deliveries = 2
        }
        release(names, of: stage)
        await stage.daemon.wait { $0.contains { $0.event == .launched(session: SessionPlace.session) } }
        let second = try App(stage)
        #expect(try await second.run(until: 3) == ["a": "succeeded", "b": "succeeded", "c": "succeeded"])
        await stage.daemon.wait { $0.last?.event == .finishedEvents(session: SessionPlace.session) }
        expectSaved(names, in: stage)
        #expect(stage.place.server.requests.count == 3)
        await second.die()
    }

    @Test("a task that the system has lost is made again when the others' events have been delivered")
    func lost() async throws {
        let (stage, names) = (try SessionPlace(launches: false), ["a", "b"])
        let first = try App(stage)
        try await first.scheduler.start()
        try await first.begin(names, in: stage)
        await first.die()
        await stage.daemon.lose(task: 1, ofSession: SessionPlace.session)
        release(names, of: stage)
        await stage.daemon.wait { $0.contains { $0.event == .launched(session: SessionPlace.session) } }
        let second = try App(stage)
        #expect(try await second.run(until: 2) == ["a": "succeeded", "b": "succeeded"])
        expectSaved(names, in: stage)
        await second.die()
    }

    @Test("task numbers that begin again with 1 do not confuse the transfers")
    func numbers() async throws {
        let stage = try SessionPlace(launches: false)
        let first = try App(stage)
        try await first.scheduler.start()
        try await first.begin(["a"], in: stage)
        await stage.daemon.lose(task: 1, ofSession: SessionPlace.session)
        await stage.daemon.restartTaskNumbers(ofSession: SessionPlace.session)
        // Number 1 is free, and the state file still has an entry of that number.
        try await first.begin(["b"], in: stage)
        #expect(await stage.daemon.tasks(ofSession: SessionPlace.session).map(\.number) == [2])
        await first.die()
        release(["a", "b"], of: stage)
        await stage.daemon.wait { $0.contains { $0.event == .launched(session: SessionPlace.session) } }
        let second = try App(stage)
        #expect(try await second.run(until: 2) == ["a": "succeeded", "b": "succeeded"])
        expectSaved(["a", "b"], in: stage)
        await second.die()
    }

    @Test("a download that the user has ended with the app goes on from where it was at the next start")
    func forceQuit() async throws {
        let stage = try SessionPlace(launches: false)
        let first = try App(stage)
        try await first.scheduler.start()
        try await first.begin(["a"], in: stage)
        try await received(by: stage)
        await stage.daemon.forceQuit()
        await first.die()
        release(["a"], of: stage)
        let second = try App(stage)
        #expect(try await second.run(until: 1) == ["a": "succeeded"])
        expectSaved(["a"], in: stage)
        #expect(stage.place.server.requests.count == 2)
        #expect(stage.place.server.requests.last?.range?.start ?? 0 > 0)
        let events = await stage.daemon.records.map(\.event)
        #expect(!events.contains(.launched(session: SessionPlace.session)))
        await second.die()
    }

    @Test("a transfer that the system lets wait goes on from where it was")
    func waits() async throws {
        let stage = try SessionPlace(launches: false)
        let app = try App(stage)
        async let ended = app.run(until: 1)
        try await app.begin(["a"], in: stage)
        try await received(by: stage)
        await stage.daemon.setBehavior { $0.holdsTransfers = true }
        release(["a"], of: stage)
        #expect(await stage.daemon.tasks(ofSession: SessionPlace.session).map(\.isSuspended) == [false])
        await stage.daemon.setBehavior { $0.holdsTransfers = false }
        #expect(try await ended == ["a": "succeeded"])
        expectSaved(["a"], in: stage)
        #expect(stage.place.server.requests.last?.range?.start ?? 0 > 0)
        await app.die()
    }

    /// Waits until the daemon has something of the first task.
    private func received(by stage: SessionPlace) async throws {
        let isThere = try await comesTrue {
            await stage.daemon.tasks(ofSession: SessionPlace.session).first?.receivedBytes ?? 0 > 0
        }
        #expect(isThere)
    }

    @Test("App Transport Security's refusal of http ends a download with a reason")
    func transportSecurity() async throws {
        let stage = try SessionPlace(launches: false)
        await stage.daemon.setBehavior { $0.refusesPlainHTTP = true }
        let app = try App(stage)
        let events = app.scheduler.eventBus.events
        try await app.scheduler.start()
        let download = DownloadConfiguration(url: stage.place.server.url("/a"), savePath: stage.place.savePath)
        try await app.scheduler.backgroundSessions.enqueueDownload(configuration: download, id: "a")
        let event = await events.first { _ in true }
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains("App Transport Security") == true, "\(event?.message ?? "")")
        #expect(stage.place.server.requests.isEmpty)
        await app.die()
    }

    @Test("a server's question for a password launches the app, which answers it")
    func password() async throws {
        let stage = try SessionPlace(launches: false)
        stage.place.server.serve(.bytes(Self.content), at: "/a")
        stage.place.server.require(.basic(user: "u", password: "p"), for: "/a")
        await stage.daemon.setBehavior { $0.holdsTransfers = true }
        let first = try App(stage)
        try await first.scheduler.start()
        var download = DownloadConfiguration(
            url: stage.place.server.url("/a"), savePath: stage.place.folder.path + "/a")
        download.options.authentication = .basic(user: "u", password: "p")
        try await first.scheduler.backgroundSessions.enqueueDownload(configuration: download, id: "a")
        await stage.daemon.wait { $0.contains { $0.event == .resumed(session: SessionPlace.session, task: 1) } }
        try await stage.place.wait(for: "the hand-off") { stage.place.state(of: "a") == 3 }
        await first.die()
        await stage.daemon.setBehavior { $0.holdsTransfers = false }
        await stage.daemon.wait { $0.contains { $0.event == .launched(session: SessionPlace.session) } }
        let second = try App(stage)
        #expect(try await second.run(until: 1) == ["a": "succeeded"])
        expectSaved(["a"], in: stage)
        await second.die()
    }

    @Test("a download whose connection breaks is tried again from where it was, by the transfer's policy")
    func brokenConnection() async throws {
        let stage = try SessionPlace(launches: false)
        stage.place.server.serve(.bytes(Self.content), at: "/a")
        stage.place.server.setBehaviours([.closeAfter(bytes: Self.held), .correct], for: "/a")
        let app = try App(stage)
        async let ended = app.run(until: 1)
        var download = DownloadConfiguration(
            url: stage.place.server.url("/a"), savePath: stage.place.folder.path + "/a")
        download.options.retry = .linear(initialDelay: .milliseconds(10), maximumAttempts: 2, jitter: 0)
        try await app.scheduler.backgroundSessions.enqueueDownload(configuration: download, id: "a")
        #expect(try await ended == ["a": "succeeded"])
        expectSaved(["a"], in: stage)
        #expect(stage.place.server.requests.count == 2)
        #expect(stage.place.server.requests.last?.range?.start ?? 0 > 0)
        await app.die()
    }

    @Test("an upload whose app has got another container while it was sent is reported as sent")
    func movedContainer() async throws {
        let stage = try SessionPlace(launches: false)
        let (old, new) = (stage.place.folder.path + "/old", stage.place.folder.path + "/new")
        try FileManager.default.createDirectory(atPath: old, withIntermediateDirectories: false)
        try Data(Self.content).write(to: URL(filePath: old + "/source"))
        stage.place.server.acceptUploads(at: "/upload")
        await stage.daemon.setBehavior { $0.holdsTransfers = true }
        let first = try App(stage, container: old)
        try await first.scheduler.start()
        let upload = UploadConfiguration(url: stage.place.server.url("/upload"), filePath: old + "/source")
        try await first.scheduler.backgroundSessions.enqueueUpload(configuration: upload, id: "a")
        await stage.daemon.wait { $0.contains { $0.event == .resumed(session: SessionPlace.session, task: 1) } }
        #expect(try await comesTrue { try await first.scheduler.info(id: "a")?.state == .handedOff })
        await first.die()
        try await stage.daemon.moveContainer(from: old, to: new)
        await stage.daemon.setBehavior { $0.holdsTransfers = false }
        await stage.daemon.wait { $0.contains { $0.event == .launched(session: SessionPlace.session) } }
        let second = try App(stage, container: new)
        #expect(try await second.run(until: 1) == ["a": "succeeded"])
        #expect(stage.place.server.uploads(at: "/upload").map(\.bytes) == [Self.content])
        await second.die()
    }

    @Test("downloads of an app that gets another container are put into the new one: one in progress, one yet to begin")
    func movedTargets() async throws {
        let stage = try SessionPlace(launches: false)
        let (old, new) = (stage.place.folder.path + "/old", stage.place.folder.path + "/new")
        try FileManager.default.createDirectory(atPath: old, withIntermediateDirectories: false)
        for name in ["a", "b"] { stage.place.server.serve(.bytes(Self.content), at: "/\(name)") }
        await stage.daemon.setBehavior { $0.holdsTransfers = true }
        let first = try App(stage, container: old)
        try await first.scheduler.start()
        for (name, trigger) in [("a", TaskTrigger.oneTime()), ("b", .oneTime(delay: .seconds(86_400)))] {
            let download = DownloadConfiguration(
                url: stage.place.server.url("/\(name)"), savePath: old + "/files/\(name)")
            try await first.scheduler.backgroundSessions.enqueueDownload(
                configuration: download, id: name, trigger: trigger)
        }
        #expect(try await comesTrue { try await first.scheduler.info(id: "a")?.state == .handedOff })
        await first.die()
        try await stage.daemon.moveContainer(from: old, to: new)
        await stage.daemon.setBehavior { $0.holdsTransfers = false }
        let second = try App(stage, container: new)
        try await second.scheduler.runNow(id: "b")
        #expect(try await second.run(until: 2) == ["a": "succeeded", "b": "succeeded"])
        for name in ["a", "b"] { #expect(stage.place.hasSaved(Self.content, at: new + "/files/\(name)")) }
        #expect(!FileManager.default.fileExists(atPath: old))
        await second.die()
    }
}
