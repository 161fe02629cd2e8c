import BackgroundWork
import BackgroundWorkFiles
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// A program that downloads in its own process is killed, and the next one gets the right file: nothing half-written under
/// its name, and nothing temporary left.
@Suite(.serialized, .fewAtATime)
struct DownloadDeathInProcessTests {
    /// Two parts of the smallest length, and some bytes more.
    static let content = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 / 251 &+ $0) }

    private func place() throws -> Workplace { try Workplace(serving: Self.content) }

    private func single(_ place: Workplace, _ policy: DuplicatePolicy = .overwrite) throws -> HttpDownloadWorker.Input {
        var input = HttpDownloadWorker.Input(url: place.server.url("/file"), savePath: place.savePath)
        input.onDuplicate = policy
        input.fileMode = FileMode(0o640)
        return input
    }

    private func parallel(_ place: Workplace) throws -> ParallelHttpDownloadWorker.Input {
        ParallelHttpDownloadWorker.Input(url: place.server.url("/file"), savePath: place.savePath)
    }

    /// Kills a host before each of its calls, and lets another one finish its work.
    private func killEverywhere(
        _ prepare: (Workplace) async throws -> Void = { _ in }, start: (Workplace, KillPoint?) throws -> ChildProcess,
        check: (Workplace, Comment) -> Void
    ) async throws {
        var number = 0
        while true {
            number += 1
            let place = try place()
            try await prepare(place)
            let first = try start(place, .call(number))
            let change = await first.nextChange()
            if change != .stopped {
                #expect(change == .exited(0), "\(place.logs)")
                check(place, "without a death: \(place.logs)")
                break
            }
            let stop = place.lines(of: place.killLog).last ?? ""
            // Only the whole file has the name, at any time.
            if let found = FileManager.default.contents(atPath: place.savePath), found != Data("old".utf8) {
                #expect(Array(found) == Self.content, "call \(number): \(stop)")
            }
            await first.killAndWait()
            let second = try start(place, nil)
            #expect(await second.nextChange() == .exited(0), "call \(number): \(stop)\n\(place.logs)")
            check(place, "call \(number): \(stop)\n\(place.logs)")
        }
        #expect(number > 15)
    }

    private func expectSaved(
        _ place: Workplace, as name: String = "file.bin", beside others: [String] = [], _ words: Comment
    ) {
        #expect(place.hasSaved(Self.content, at: place.folder.path + "/downloads/" + name), words)
        #expect(place.downloadNames == (others + [name]).sorted(), words)
        #expect(place.partialRecords.isEmpty, words)
        #expect(place.lines(of: place.hostLog).last?.hasPrefix("succeeded: saved to") == true, words)
    }

    @Test("killed before every single call, a download over one connection loses nothing")
    func oneConnection() async throws {
        try await killEverywhere {
            try $0.startWorkerHost(HttpDownloadWorker.self, single($0), stoppingAt: $1)
        } check: {
            expectSaved($0, $1)
        }
    }

    @Test("killed before every single call, a download over several connections loses nothing")
    func severalConnections() async throws {
        try await killEverywhere {
            try $0.startWorkerHost(ParallelHttpDownloadWorker.self, parallel($0), stoppingAt: $1)
        } check: {
            expectSaved($0, $1)
        }
    }

    @Test("killed before every single call, a renamed download gets one name once")
    func renamed() async throws {
        try await killEverywhere { place in
            try FileManager.default.createDirectory(
                atPath: place.folder.path + "/downloads", withIntermediateDirectories: true)
            try Data("old".utf8).write(to: URL(filePath: place.savePath))
        } start: {
            try $0.startWorkerHost(HttpDownloadWorker.self, single($0, .rename), stoppingAt: $1)
        } check: {
            expectSaved($0, as: "file_1.bin", beside: ["file.bin"], $1)
            #expect($0.hasSaved(Array("old".utf8)), $1)
        }
    }

    @Test("killed once more, before every single call of the run that goes on, a download loses nothing")
    func goingOn() async throws {
        try await killEverywhere { place in
            place.server.setBehaviours([.holdAfter(bytes: 400_000), .correct], for: "/file")
            let first = try place.startWorkerHost(HttpDownloadWorker.self, single(place))
            try await place.wait(for: "the partial file") { self.partialBytes(place) >= 300_000 }
            await first.killAndWait()
        } start: {
            try $0.startWorkerHost(HttpDownloadWorker.self, single($0), stoppingAt: $1)
        } check: {
            expectSaved($0, $1)
        }
    }

    static let points: [KillPoint] = [
        .at(.before, "write", ".bgwork-"), .at(.after, "write", ".bgwork-"), .at(.before, "mode", ".bgwork-"),
        .at(.before, "sync", ".bgwork-"), .at(.after, "sync", ".bgwork-"), .at(.before, "rename", "downloads/file.bin"),
        .at(.after, "rename", "downloads/file.bin"), .at(.before, "unlink", "/partials/"),
    ]

    @Test("killed once more, a download over several connections loses nothing", arguments: points)
    func partsGoingOn(point: KillPoint) async throws {
        let place = try place()
        place.server.setBehaviours([.holdAfter(bytes: 100_000), .holdAfter(bytes: 100_000), .correct], for: "/file")
        let first = try place.startWorkerHost(ParallelHttpDownloadWorker.self, parallel(place))
        try await place.wait(for: "marks") { self.marks(place) == [100_000, 400_000] }
        await first.killAndWait()
        let second = try place.startWorkerHost(ParallelHttpDownloadWorker.self, parallel(place), stoppingAt: point)
        #expect(await second.nextChange() == .stopped, "\(place.logs)")
        await second.killAndWait()
        let third = try place.startWorkerHost(ParallelHttpDownloadWorker.self, parallel(place))
        #expect(await third.nextChange() == .exited(0), "\(place.logs)")
        expectSaved(place, "\(place.logs)")
        #expect(place.server.requests.dropFirst(2).allSatisfy { $0.range != nil }, "the marks were used")
    }

    @Test("killed in the middle, a download over one connection goes on at the byte that it had reached")
    func goesOn() async throws {
        let place = try place()
        place.server.setBehaviours([.holdAfter(bytes: 400_000), .correct], for: "/file")
        var input = try single(place)
        input.checksum = FileChecksum(.sha256, hex: try await sha256(Self.content, in: place))
        let first = try place.startWorkerHost(HttpDownloadWorker.self, input)
        try await place.wait(for: "the partial file") { self.partialBytes(place) >= 300_000 }
        await first.killAndWait()
        let reached = Int64(partialBytes(place))
        let second = try place.startWorkerHost(HttpDownloadWorker.self, input)
        #expect(await second.nextChange() == .exited(0), "\(place.logs)")
        expectSaved(place, "\(place.logs)")
        #expect(place.server.requests.last?.range?.start == reached && place.server.requests.count == 2)
    }

    @Test("killed in the middle, a download over several connections asks for what was not marked")
    func partsGoOn() async throws {
        let place = try place()
        place.server.setBehaviours([.holdAfter(bytes: 100_000), .holdAfter(bytes: 100_000), .correct], for: "/file")
        let input = try parallel(place)
        let first = try place.startWorkerHost(
            ParallelHttpDownloadWorker.self, input, stoppingAt: .at(.after, "sync", ".bgwork-"))
        #expect(await first.nextChange() == .stopped, "\(place.logs)")
        // The bytes are on the disk, and not marked: the next one asks for them again.
        await first.killAndWait()
        place.server.setBehaviours([.holdAfter(bytes: 100_000), .holdAfter(bytes: 100_000), .correct], for: "/file")
        let second = try place.startWorkerHost(ParallelHttpDownloadWorker.self, input)
        try await place.wait(for: "marks") { self.marks(place) == [100_000, 400_000] }
        await second.killAndWait()
        let before = place.server.requests.count
        let third = try place.startWorkerHost(ParallelHttpDownloadWorker.self, input)
        #expect(await third.nextChange() == .exited(0), "\(place.logs)")
        expectSaved(place, "\(place.logs)")
        #expect(place.server.requests.dropFirst(before).compactMap(\.range?.start).sorted() == [100_000, 400_000])
    }

    private func partialBytes(_ place: Workplace) -> Int {
        place.downloadNames.filter { $0.contains(".bgwork-") }.compactMap { name in
            let path = place.folder.path + "/downloads/" + name
            return (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
        }.first ?? -1
    }

    /// The marks of the parts, as they are stored.
    private func marks(_ place: Workplace) -> [Int] {
        struct Checkpoint: Decodable {
            struct Segment: Decodable { var mark: Int }
            var segments: [Segment]?
        }
        let texts = place.query("work.sqlite", "SELECT checkpoint FROM carried WHERE checkpoint IS NOT NULL") {
            $0.text(0)
        }
        let checkpoint = texts?.first.flatMap { try? JSONDecoder().decode(Checkpoint.self, from: Data($0.utf8)) }
        return (checkpoint?.segments ?? []).map(\.mark).sorted()
    }

    private func sha256(_ bytes: [UInt8], in place: Workplace) async throws -> String {
        let path = place.folder.path + "/content"
        try Data(bytes).write(to: URL(filePath: path))
        return try await FileDigest.sha256(ofFileAt: path)
    }
}
