import BackgroundWorkSessionTesting
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// Apps are killed before every single call that makes something durable, or says something to the daemon.
@Suite(.serialized, .fewAtATime)
struct SimulatedDeathTests {
    static let content = HostDeathTests.content

    /// What the daemon does with events whose delegate call was begun when the process died.
    enum Interrupted: String, CaseIterable, Sendable { case lost, repeated }

    @Test(
        "killed before every single call, a download's app loses nothing and reports it once",
        arguments: Interrupted.allCases)
    func downloads(_ interrupted: Interrupted) async throws {
        let calls = try await everyCall(interrupted) { stage in
            stage.place.server.serve(.bytes(Self.content), at: "/file")
        } start: { stage, point, more in
            try stage.startDownload(stoppingAt: point, more)
        } check: { stage, stop in
            #expect(stage.place.hasSaved(Self.content), "\(stop)")
            // A file that was taken and not recorded is fetched again.
            stage.expectFinished(requests: 1...2, stop)
        }
        #expect(calls > 30)
    }

    @Test(
        "killed before every single call, an upload's app loses nothing and reports it once",
        arguments: Interrupted.allCases)
    func uploads(_ interrupted: Interrupted) async throws {
        let calls = try await everyCall(interrupted) { stage in
            try Data(Self.content).write(to: URL(filePath: stage.source))
            stage.place.server.acceptUploads(at: "/upload")
        } start: { stage, point, more in
            try stage.startUpload(stoppingAt: point, more)
        } check: { stage, stop in
            let uploads = stage.place.server.uploads(at: "/upload")
            #expect(uploads.allSatisfy { $0.bytes == Self.content }, "\(stop)")
            // One whose answer was lost with the process is sent again.
            stage.expectFinished(requests: interrupted == .lost ? 1...2 : 1...1, stop)
        }
        #expect(calls > 30)
    }

    /// What has happened to a download before the app is killed.
    enum Misfortune: String, CaseIterable, Sendable { case lostTask, lostJournal, forceQuit }

    @Test(
        "killed before every single call after a misfortune, an app ends its download once",
        arguments: Misfortune.allCases)
    func misfortunes(_ misfortune: Misfortune) async throws {
        let calls = try await everyCall(.lost) { stage in
            stage.place.server.serve(.bytes(Self.content), at: "/file")
            stage.place.server.setBehaviour(.holdAfter(bytes: Self.held), for: "/file")
            let app = try stage.startDownload()
            try await stage.place.wait(for: "the hand-off") { stage.place.state(of: "file") == 3 }
            let isThere = try await comesTrue {
                await stage.daemon.tasks(ofSession: SessionPlace.session).first?.receivedBytes ?? 0 > 0
            }
            #expect(isThere)
            switch misfortune {
            case .lostTask:
                await app.killAndWait()
                await stage.daemon.lose(task: 1, ofSession: SessionPlace.session)
            case .lostJournal:
                await app.killAndWait()
                for suffix in ["", "-wal", "-shm"] {
                    unlink(stage.place.directory + "/url_sessions/journal.sqlite" + suffix)
                }
            case .forceQuit:
                await stage.daemon.forceQuit()
                await app.killAndWait()
            }
            stage.place.server.setBehaviour(.correct, for: "/file")
            stage.place.server.release("/file")
        } start: { stage, point, more in
            // The system tells nothing of a lost task, which is waited for.
            try stage.startDownload(stoppingAt: point, more + ["--quick"])
        } check: { stage, stop in
            #expect(stage.place.hasSaved(Self.content), "\(stop)")
            stage.expectFinished(requests: 1...3, stop)
        }
        #expect(calls > 20)
    }

    @Test("killed before every single call, an app whose download is tried again ends it once")
    func nextAttempt() async throws {
        let calls = try await everyCall(.lost) { stage in
            stage.place.server.serve(.bytes(Self.content), at: "/file")
            stage.place.server.setBehaviours([.closeAfter(bytes: Self.held), .correct], for: "/file")
        } start: { stage, point, more in
            try stage.startDownload(stoppingAt: point, more + ["--quick", "--attempts", "3"])
        } check: { stage, stop in
            #expect(stage.place.hasSaved(Self.content), "\(stop)")
            stage.expectFinished(requests: 2...3, stop)
        }
        #expect(calls > 35)
    }

    @Test("killed before every single call, an app that pauses its download ends it once")
    func pause() async throws {
        let calls = try await everyCall(.lost) { stage in
            stage.place.server.serve(.bytes(Self.content), at: "/file")
            stage.place.server.setBehaviours([.holdAfter(bytes: Self.held), .correct], for: "/file")
        } start: { stage, point, more in
            // One that is launched, or starts again, finds the download held if it was not paused.
            if point == nil, !more.isEmpty { stage.place.server.release("/file") }
            return try stage.startDownload(stoppingAt: point, more + ["--quick", "--pause", "\(Self.held)"])
        } check: { stage, stop in
            #expect(stage.place.hasSaved(Self.content), "\(stop)")
            stage.expectFinished(requests: 1...4, stop)
        }
        #expect(calls > 40)
    }

    private static let held: Int64 = 20_000

    /// Kills the app before its first call, then another one before its second, and so on; the next launch of each has
    /// to get to the end. Returns how many calls there are.
    private func everyCall(
        _ interrupted: Interrupted, prepare: (SessionPlace) async throws -> Void,
        start: (SessionPlace, KillPoint?, [String]) throws -> ChildProcess, check: (SessionPlace, String) -> Void
    ) async throws -> Int {
        var number = 0
        while true {
            number += 1
            let stage = try SessionPlace(launches: false)
            let place = stage.place
            await stage.daemon.setBehavior { $0.repeatsInterruptedEvents = interrupted == .repeated }
            try await prepare(stage)
            let first = try start(stage, .call(number), [])
            let change = await first.nextChange()
            if change != .stopped {
                #expect(change == .exited(0), "\(place.logs)")
                return number
            }
            let stop = "call \(number): \(place.lines(of: place.killLog).last ?? "")"
            await first.killAndWait()
            let second = try start(stage, nil, ["--launched", SessionPlace.session])
            #expect(await second.nextChange() == .exited(0), "\(stop)\n\(place.logs)")
            await stage.daemon.wait { [session = SessionPlace.session] in
                $0.contains { $0.event == .completionHandlerCalled(session: session) }
            }
            check(stage, stop)
        }
    }
}
