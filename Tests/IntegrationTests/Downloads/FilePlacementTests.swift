import BackgroundWork
import BackgroundWorkSystem
import Foundation
import TestSupport
import Testing

/// The last steps of a download whose name is in use: no other file is replaced, and nothing is lost or left over,
/// wherever the host dies.
@Suite(.serialized, .fewAtATime)
struct FilePlacementTests {
    static let content = FolderTransferService.content(of: 1)

    private func host(
        _ place: Workplace, _ policy: DuplicatePolicy, stoppingAt point: KillPoint? = nil,
        _ more: [String: String] = [:]
    ) throws -> ChildProcess {
        var environment = ["PATH": "/usr/bin:/bin", "HOME": place.folder.path].merging(more) { $1 }
        environment["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
        if let point {
            environment.merge(point.environment) { $1 }
            environment["KILLPOINT_LOG"] = place.killLog
        }
        if point != nil || !more.isEmpty { environment["LD_PRELOAD"] = PreloadedLibrary.killPoint }
        return try ChildProcess(
            Programs.host, ["place", place.directory, place.savePath, policy.rawValue], environment: environment,
            log: place.hostLog)
    }

    private func put(_ text: String, at path: String) throws {
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    private func names(_ place: Workplace) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: place.folder.path + "/downloads")) ?? []).sorted()
    }

    /// The message and output of the only event.
    private func event(_ place: Workplace) -> String { place.lines(of: place.hostLog).last ?? "" }

    /// Calls of the last steps, each with an error that passes.
    static let faults: [FaultPoint] = [
        .init(calls: ["rename"], path: "/downloads", number: 0, errno: EIO),
        .init(calls: ["rename"], path: "/downloads", number: 0, errno: EINTR),
        .init(calls: ["fsync"], path: "/downloads", number: 0, errno: EIO),
        .init(calls: ["fsync"], path: "/downloads", number: 0, errno: EINTR),
        .init(calls: ["open"], path: "/downloads", number: 0, errno: EMFILE),
        .init(calls: ["open"], path: "/downloads", number: 0, errno: EINTR),
        .init(calls: ["stat"], path: ".bgwork-", number: 0, errno: EIO),
        .init(calls: ["stat"], path: "/daemon/", number: 0, errno: EIO),
    ]

    @Test(
        "a temporary error at any call is retried, and nothing is downloaded again", arguments: faults,
        [DuplicatePolicy.overwrite, .rename])
    func passingError(fault: FaultPoint, policy: DuplicatePolicy) async throws {
        var number = 0
        while true {
            number += 1
            let place = try Workplace()
            var point = fault
            point.number = number
            let log = place.folder.path + "/faults.log"
            let host = try ChildProcess(
                Programs.host, ["place", place.directory, place.savePath, policy.rawValue],
                environment: point.environment(log: log), log: place.hostLog)
            #expect(await host.nextChange() == .exited(0), "\(point.testDescription): \(place.logs)")
            #expect(place.hasSaved(Self.content), "\(point.testDescription): \(place.logs)")
            #expect(event(place).hasPrefix("succeeded"), "\(point.testDescription): \(event(place))")
            if !FaultPoint.hasFailed(log: log) { break }
        }
    }

    static let deaths: [KillPoint] = [
        .at(.before, "rename", ".bgwork-"), .at(.after, "rename", ".bgwork-"),
        .at(.before, "rename", "downloads/file_2.bin"), .at(.after, "rename", "downloads/file_2.bin"),
        .at(.before, "rename", "bg_url_session_state.json", occurrence: 2),
    ]

    @Test("renamed: the file gets the first free name, once, wherever the host dies", arguments: deaths)
    func rename(point: KillPoint) async throws {
        let place = try Workplace()
        try put("a", at: place.savePath)
        try put("b", at: place.folder.path + "/downloads/file_1.bin")
        let first = try host(place, .rename, stoppingAt: point)
        #expect(await first.nextChange() == .stopped, "\(place.logs)")
        await first.killAndWait()
        #expect(await (try host(place, .rename)).nextChange() == .exited(0), "\(place.logs)")
        #expect(names(place) == ["file.bin", "file_1.bin", "file_2.bin"], "\(place.logs)")
        #expect(place.hasSaved(Self.content, at: place.folder.path + "/downloads/file_2.bin"))
        #expect(event(place).contains("downloads/file_2.bin\""), "\(event(place))")
        #expect(event(place).contains("\"durationMs\":12"), "what the outcome said is kept: \(event(place))")
        #expect(place.stateEntries == 0)
    }

    @Test(
        "renamed: a file that gets the name at the last moment keeps it, and the next name is recorded before the move")
    func nameTakenMeanwhile() async throws {
        let place = try Workplace()
        let first = try host(place, .rename, stoppingAt: .at(.before, "rename", "downloads/file.bin"))
        #expect(await first.nextChange() == .stopped, "\(place.logs)")
        try put("theirs", at: place.savePath)
        await first.killAndWait()
        let second = try host(place, .rename, stoppingAt: .at(.after, "rename", "downloads/file_1.bin"))
        #expect(await second.nextChange() == .stopped, "\(place.logs)")
        // It was moved, and that is not recorded: another file must not be taken for it, nor it be moved again.
        await second.killAndWait()
        #expect(await (try host(place, .rename)).nextChange() == .exited(0), "\(place.logs)")
        #expect(names(place) == ["file.bin", "file_1.bin"])
        #expect(place.hasSaved(Array("theirs".utf8)))
        #expect(place.hasSaved(Self.content, at: place.folder.path + "/downloads/file_1.bin"))
        #expect(event(place).contains("file_1.bin, because"), "\(event(place))")
    }

    @Test("renamed: a volume that cannot refuse to replace gets two names for a moment, also across a death")
    func withoutExclusiveRename() async throws {
        let place = try Workplace()
        try put("a", at: place.savePath)
        let without = ["KILLPOINT_NO_RENAMEAT2": "1"]
        let first = try host(place, .rename, stoppingAt: .at(.after, "link", "downloads/file_1.bin"), without)
        #expect(await first.nextChange() == .stopped, "\(place.logs)")
        await first.killAndWait()
        #expect(names(place).count == 3)
        #expect(await (try host(place, .rename, without)).nextChange() == .exited(0), "\(place.logs)")
        #expect(names(place) == ["file.bin", "file_1.bin"])
        #expect(place.hasSaved(Self.content, at: place.folder.path + "/downloads/file_1.bin"))
    }

    @Test("a volume that can neither is an error that says what to do, and leaves nothing")
    func neitherWay() async throws {
        let place = try Workplace()
        let refusing = try host(
            place, .rename, stoppingAt: .failing("link", "downloads/", errno: EPERM), ["KILLPOINT_NO_RENAMEAT2": "1"])
        #expect(await refusing.nextChange() == .exited(0), "\(place.logs)")
        #expect(event(place).hasPrefix("failed: "), "\(event(place))")
        #expect(event(place).contains("OVERWRITE"), "\(event(place))")
        #expect(names(place).isEmpty)
    }

    @Test("skipped: a file that appears while the other is on its way stays, wherever the host dies")
    func skip() async throws {
        for point in [KillPoint.at(.after, "rename", ".bgwork-"), .at(.before, "rename", "downloads/file.bin")] {
            let place = try Workplace()
            let first = try host(place, .skip, stoppingAt: point)
            #expect(await first.nextChange() == .stopped, "\(place.logs)")
            try put("theirs", at: place.savePath)
            await first.killAndWait()
            // Dies once more between the end of the work and the removal of the unused file.
            let second = try host(place, .skip, stoppingAt: .at(.before, "unlink", ".bgwork-"))
            #expect(await second.nextChange() == .stopped, "\(place.logs)")
            await second.killAndWait()
            #expect(await (try host(place, .skip)).nextChange() == .exited(0), "\(place.logs)")
            #expect(names(place) == ["file.bin"], "\(point)")
            #expect(place.hasSaved(Array("theirs".utf8)))
            #expect(event(place).contains("succeeded: skipped"), "\(event(place))")
            #expect(event(place).contains("\"skipped\":true"), "\(event(place))")
        }
    }

    @Test("skipped: what a dead host has begun to hand off is not left with the daemon")
    func skipAfterReservation() async throws {
        for point in [
            KillPoint.at(.before, "rename", "bg_url_session_state.json"),
            .at(.after, "rename", "bg_url_session_state.json"),
        ] {
            let place = try Workplace()
            let first = try host(place, .skip, stoppingAt: point)
            #expect(await first.nextChange() == .stopped, "\(place.logs)")
            await first.killAndWait()
            try put("theirs", at: place.savePath)
            _ = await (try host(place, .skip)).nextChange()
            // The cancellation may be sent by the next start only.
            #expect(await (try host(place, .skip)).nextChange() == .exited(0), "\(point)\n\(place.logs)")
            #expect(names(place) == ["file.bin"])
            #expect(event(place).contains("succeeded: skipped"), "\(event(place))")
            #expect(place.stateEntries == 0)
        }
    }

    @Test(
        "overwritten: a permanently failed move is recorded before its file is deleted, so no death makes it a success")
    func failedMove() async throws {
        let place = try Workplace()
        let first = try host(place, .overwrite, stoppingAt: .at(.before, "rename", "downloads/file.bin"))
        #expect(await first.nextChange() == .stopped, "\(place.logs)")
        // A folder with something in it cannot be replaced.
        try put("x", at: place.savePath + "/inside")
        await first.killAndWait()
        let second = try host(place, .overwrite, stoppingAt: .at(.before, "unlink", ".bgwork-"))
        #expect(await second.nextChange() == .stopped, "\(place.logs)")
        await second.killAndWait()
        #expect(await (try host(place, .overwrite)).nextChange() == .exited(0), "\(place.logs)")
        #expect(event(place).hasPrefix("failed: "), "\(event(place))")
        #expect(event(place).contains("is a folder at"), "\(event(place))")
        #expect(names(place) == ["file.bin"])
    }
}
