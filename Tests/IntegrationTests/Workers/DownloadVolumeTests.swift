import BackgroundWork
import BackgroundWorkSystem
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// Downloads in process to volumes that are full or cannot be written, and from a server of the real world.
@Suite(.serialized, .fewAtATime, .enabled(if: getuid() == 0, "mounts a volume"))
struct DownloadVolumeTests {
    static let content = DownloadDeathInProcessTests.content

    private func names(_ path: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    private func event(_ place: Workplace) -> String { place.lines(of: place.hostLog).last ?? "" }

    @Test("on a full volume the bytes are given back, the next attempt begins anew, and the last one fails with words")
    func fullVolume() async throws {
        let place = try Workplace(serving: Self.content)
        let volume = try SmallVolume(at: place.folder.path + "/volume", kilobytes: 256)
        defer { volume.unmount() }
        let path = volume.path + "/file.bin"
        let single = HttpDownloadWorker.Input(url: place.server.url("/file"), savePath: path)
        let host = try place.startWorkerHost(HttpDownloadWorker.self, single, attempts: 2)
        #expect(await host.nextChange() == .exited(0), "\(place.logs)")
        #expect(event(place).hasPrefix("failed") && event(place).contains("Free some space"), "\(event(place))")
        #expect(names(volume.path).isEmpty)
        #expect(place.server.requests.map(\.range) == [nil, nil])
        let other = try Workplace(serving: Self.content)
        let parallel = ParallelHttpDownloadWorker.Input(url: other.server.url("/file"), savePath: path)
        let second = try other.startWorkerHost(ParallelHttpDownloadWorker.self, parallel)
        #expect(await second.nextChange() == .exited(0), "\(other.logs)")
        #expect(event(other).hasPrefix("failed") && event(other).contains("Free some space"), "\(event(other))")
        #expect(names(volume.path).isEmpty)
    }

    @Test("on a volume that is mounted read-only nothing is asked for")
    func readOnlyVolume() async throws {
        let place = try Workplace(serving: Self.content)
        let volume = try SmallVolume(at: place.folder.path + "/volume", kilobytes: 256)
        defer { volume.unmount() }
        try volume.makeReadOnly()
        let input = HttpDownloadWorker.Input(url: place.server.url("/file"), savePath: volume.path + "/file.bin")
        let host = try place.startWorkerHost(HttpDownloadWorker.self, input, attempts: 3)
        #expect(await host.nextChange() == .exited(0), "\(place.logs)")
        #expect(event(place).hasPrefix("failed") && event(place).contains("read-only"), "\(event(place))")
        #expect(place.server.requests.isEmpty && place.partialRecords.isEmpty)
    }

    /// Calls on the partial file and its folder, each with an error of the disk.
    static let faults: [FaultPoint] = [
        .init(calls: ["pwrite"], path: ".bgwork-", number: 1, errno: EIO),
        .init(calls: ["pwrite"], path: ".bgwork-", number: 2, errno: ENOSPC),
        .init(calls: ["fsync"], path: ".bgwork-", number: 1, errno: EIO),
        .init(calls: ["fsync"], path: "/downloads", number: 2, errno: EIO),
        .init(calls: ["ftruncate"], path: ".bgwork-", number: 1, errno: EIO),
        .init(calls: ["rename"], path: "/downloads", number: 1, errno: EIO),
        .init(calls: ["open"], path: ".bgwork-", number: 1, errno: EMFILE),
        .init(calls: ["fchmod"], path: ".bgwork-", number: 1, errno: EIO),
    ]

    @Test("an error of the disk is tried again, and the file is right", arguments: faults)
    func passingError(fault: FaultPoint) async throws {
        let place = try Workplace(serving: Self.content)
        let log = place.folder.path + "/faults.log"
        let single = HttpDownloadWorker.Input(url: place.server.url("/file"), savePath: place.savePath)
        let host = try place.startWorkerHost(
            HttpDownloadWorker.self, single, attempts: 3, fault.environment(log: log))
        #expect(await host.nextChange() == .exited(0), "\(place.logs)")
        #expect(FaultPoint.hasFailed(log: log))
        #expect(event(place).hasPrefix("succeeded"), "\(event(place))")
        #expect(place.hasSaved(Self.content) && place.downloadNames == ["file.bin"] && place.partialRecords.isEmpty)
        // What was written before the error may be lost, so nothing is continued.
        #expect(place.server.requests.allSatisfy { $0.range == nil })
    }

    @Test("nginx serves parts, and the rest of what an earlier process has")
    func nginx() async throws {
        let (place, folder) = (try Workplace(), try TemporaryFolder())
        let root = folder.path + "/root"
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        // nginx serves as nobody when it is started by root.
        for path in [folder.path, root] { chmod(path, 0o777) }
        try Data(Self.content).write(to: URL(filePath: root + "/file"))
        let server = try await NginxServer(folder: folder.path, root: root, rate: 300_000)
        let url = "http://127.0.0.1:\(server.port)/file"
        let parallel = ParallelHttpDownloadWorker.Input(url: url, savePath: place.savePath)
        let first = try place.startWorkerHost(ParallelHttpDownloadWorker.self, parallel)
        #expect(await first.nextChange() == .exited(0), "\(place.logs)")
        #expect(place.hasSaved(Self.content) && place.downloadNames == ["file.bin"])
        #expect(server.requests.contains { $0.contains(" 206 ") && $0.contains("bytes=300000-599999") })
        let other = try Workplace()
        let single = HttpDownloadWorker.Input(url: url, savePath: other.savePath)
        let second = try other.startWorkerHost(HttpDownloadWorker.self, single)
        try await other.wait(for: "bytes") {
            other.downloadNames.contains { name in
                let path = other.folder.path + "/downloads/" + name
                return (FileManager.default.contents(atPath: path)?.count ?? 0) >= 100_000
            }
        }
        await second.killAndWait()
        let third = try other.startWorkerHost(HttpDownloadWorker.self, single)
        #expect(await third.nextChange() == .exited(0), "\(other.logs)")
        #expect(other.hasSaved(Self.content) && other.downloadNames == ["file.bin"])
        #expect(server.requests.last?.contains(" 206 ") == true, "\(server.requests)")
    }
}
