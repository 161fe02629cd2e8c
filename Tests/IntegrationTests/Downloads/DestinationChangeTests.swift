import BackgroundWork
import BackgroundWorkSystem
import BackgroundWorkTesting
import Foundation
import Testing

/// What others do to the place of a file while it is on its way, with a real agent and a body that waits for it.
@Suite(.serialized, .fewAtATime)
struct DestinationChangeTests {
    private static let content = Workplace.content(bytes: 300_000)

    /// Runs a download to `path`, and does something when half of the body has arrived.
    private func event(
        of place: Workplace, to path: String, _ policy: DuplicatePolicy = .overwrite, meanwhile: () throws -> Void
    ) async throws -> TaskCompletionEvent? {
        place.server.serve(.bytes(Self.content), at: "/file")
        place.server.setBehaviour(.holdAfter(bytes: 150_000), for: "/file")
        let scheduler = try place.scheduler()
        var events = scheduler.eventBus.events.makeAsyncIterator()
        try await scheduler.start()
        try await scheduler.enqueue(
            try place.request("/file") {
                $0.savePath = path
                $0.onDuplicate = policy
            })
        try await place.wait(for: "half of the body") {
            place.stagedFile.flatMap { try? FileManager.default.attributesOfItem(atPath: $0)[.size] as? Int } ?? 0
                >= 150_000
        }
        try meanwhile()
        place.server.release("/file")
        let event = await events.next()
        await scheduler.shutdown()
        return event
    }

    private func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    private func isClean(_ place: Workplace) async throws {
        try await place.wait(for: "the clean-up") {
            place.journal.isEmpty && place.stateEntries == 0 && place.leftovers.isEmpty
        }
    }

    @Test(
        "a savePath that is in use meanwhile is handled as the request says, and a folder there is never lost",
        arguments: [DuplicatePolicy.overwrite, .rename, .skip])
    func taken(policy: DuplicatePolicy) async throws {
        let place = try Workplace()
        let folder = place.folder.path + "/downloads"
        let event = try await event(of: place, to: place.savePath, policy) {
            try Data("theirs".utf8).write(to: URL(filePath: place.savePath))
        }
        #expect(event?.success == true, "\(event?.message ?? "")")
        switch policy {
        case .overwrite:
            #expect(try names(folder) == ["file.bin"])
            #expect(place.hasSaved(Self.content))
        case .rename:
            #expect(try names(folder) == ["file.bin", "file_1.bin"])
            #expect(place.hasSaved(Array("theirs".utf8)))
            #expect(place.hasSaved(Self.content, at: folder + "/file_1.bin"))
            #expect(event?.message?.contains("file_1.bin, because") == true, "\(event?.message ?? "")")
        case .skip:
            #expect(try names(folder) == ["file.bin"])
            #expect(place.hasSaved(Array("theirs".utf8)))
            #expect(event?.message?.contains("skipped") == true, "\(event?.message ?? "")")
        }
        try await isClean(place)
    }

    @Test("a folder that is created at savePath meanwhile stays with its contents, and the failure names it")
    func takenByFolder() async throws {
        let place = try Workplace()
        let event = try await event(of: place, to: place.savePath) {
            try FileManager.default.createDirectory(atPath: place.savePath, withIntermediateDirectories: true)
            try Data("theirs".utf8).write(to: URL(filePath: place.savePath + "/inside"))
        }
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains(place.savePath) == true, "\(event?.message ?? "")")
        #expect(event?.message?.contains("is a folder at") == true, "\(event?.message ?? "")")
        #expect(place.hasSaved(Array("theirs".utf8), at: place.savePath + "/inside"))
        try await isClean(place)
    }

    @Test(
        "a volume that is unmounted meanwhile fails the request with where it was, and nothing lands beneath",
        .enabled(if: getuid() == 0, "mounting a volume needs root; MountPointTests and FileMoverTests need no root"),
        arguments: ["/file.bin", "/sub/folder/file.bin", "/folder/"])
    func volumeGone(path: String) async throws {
        let place = try Workplace()
        let volume = try SmallVolume(at: place.folder.path + "/volume", kilobytes: 1024)
        defer { volume.unmount() }
        let event = try await event(of: place, to: volume.path + path) {
            volume.unmount()
            let left = try names(volume.path)
            #expect(left.isEmpty)
        }
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains("at \(volume.path)\(path)") == true, "\(event?.message ?? "")")
        #expect(event?.message?.contains("volume mounted at \(volume.path);") == true, "\(event?.message ?? "")")
        #expect(event?.message?.contains("nothing is mounted there now") == true, "\(event?.message ?? "")")
        #expect(try names(volume.path).isEmpty, "nothing beneath the mount point")
        try await isClean(place)
    }

    @Test(
        "a volume that comes back in time gets the file, although its device number is another",
        .enabled(if: getuid() == 0, "mounting a volume needs root"))
    func volumeBack() async throws {
        let place = try Workplace()
        let path = place.folder.path + "/volume"
        let volume = try SmallVolume(at: path, kilobytes: 1024)
        var status = stat()
        stat(path, &status)
        let before = status.st_dev
        let event = try await event(of: place, to: path + "/file.bin") {
            // Keeps the old one, and so its number, in use.
            let held = open(path, O_RDONLY | O_CLOEXEC)
            defer { close(held) }
            volume.unmount()
            _ = try SmallVolume(at: path, kilobytes: 1024)
            stat(path, &status)
            #expect(status.st_dev != before)
        }
        defer { volume.unmount() }
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(place.hasSaved(Self.content, at: path + "/file.bin"))
        try await isClean(place)
    }

    @Test("a folder that is removed meanwhile is created again")
    func folderGone() async throws {
        let place = try Workplace()
        let event = try await event(of: place, to: place.savePath) {
            try FileManager.default.removeItem(atPath: place.folder.path + "/downloads")
        }
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(place.hasSaved(Self.content))
        try await isClean(place)
    }

    @Test("a pipe or a device at savePath is not replaced", arguments: ["a named pipe", "a device"])
    func special(kind: String) async throws {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        try FileManager.default.createDirectory(
            atPath: place.folder.path + "/downloads", withIntermediateDirectories: true)
        let path = place.savePath
        let isMade = kind == "a device" ? mknod(path, S_IFCHR | 0o600, 0x0103) : mkfifo(path, 0o600)
        // Not every container lets root make a device.
        guard isMade == 0 else { return }
        let event = try await place.run(try place.request("/file") { $0.savePath = path })
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains("is \(kind)") == true, "\(event?.message ?? "")")
        #expect(place.server.requests.isEmpty)
    }

    @Test("a pipe that is created there meanwhile is not replaced either")
    func specialMeanwhile() async throws {
        let place = try Workplace()
        let event = try await event(of: place, to: place.savePath) { _ = mkfifo(place.savePath, 0o600) }
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains("named pipe") == true, "\(event?.message ?? "")")
    }
}
