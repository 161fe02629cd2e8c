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

    /// Kills the app before its first call, then another one before its second, and so on; the next launch of each has
    /// to get to the end. Returns how many calls there are.
    private func everyCall(
        _ interrupted: Interrupted, prepare: (SessionPlace) throws -> Void,
        start: (SessionPlace, KillPoint?, [String]) throws -> ChildProcess, check: (SessionPlace, String) -> Void
    ) async throws -> Int {
        var number = 0
        while true {
            number += 1
            let stage = try SessionPlace(launches: false)
            let place = stage.place
            await stage.daemon.setBehavior { $0.repeatsInterruptedEvents = interrupted == .repeated }
            try prepare(stage)
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
