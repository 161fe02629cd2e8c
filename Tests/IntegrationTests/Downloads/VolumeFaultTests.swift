import BackgroundWork
import BackgroundWorkSystem
import BackgroundWorkTesting
import Foundation
import Testing

/// Volumes that are full, too small, or fail at the last step.
@Suite(.serialized, .fewAtATime)
struct VolumeFaultTests {
    static let content = HostDeathTests.content

    @Test(
        "a disk or a quota that is full while staging fails the transfer, says so, and leaves nothing",
        arguments: [(ENOSPC, "disk is full"), (EDQUOT, "quota is used up")])
    func fullWhileStaging(code: Int32, words: String) async throws {
        let place = try Workplace(serving: Self.content)
        try place.stopNextAgent(at: .failing("write", ".part", errno: code))
        let event = try await place.run(try place.download())
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains(String(cString: strerror(code))) == true, "\(event?.message ?? "")")
        #expect(event?.message?.contains(words) == true, "\(event?.message ?? "")")
        try await place.wait(for: "the clean-up") {
            place.journal.isEmpty && place.stateEntries == 0 && place.leftovers.isEmpty
        }
    }

    @Test("the real limit of how large files may be fails the transfer and says so, and the agent lives on")
    func fileSizeLimit() async throws {
        let place = try Workplace(serving: Self.content)
        place.server.serve(.generated(bytes: 3 << 20), at: "/large")
        try place.runAgentsIn("prlimit --fsize=\(1 << 20)")
        let event = try await place.run(try place.download("/large"))
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains(String(cString: strerror(EFBIG))) == true, "\(event?.message ?? "")")
        let small = try await place.run(try place.download())
        #expect(small?.success == true, "\(small?.message ?? "")")
        #expect(place.lines(of: place.agentLog).filter { $0.contains("serving ") }.count == 1, "\(place.logs)")
        try await place.wait(for: "the clean-up") {
            place.journal.isEmpty && place.stateEntries == 0 && place.leftovers.isEmpty
        }
    }

    @Test(
        "a real volume that is too small for a file of known length is not filled with it",
        .enabled(if: getuid() == 0, "mounts a volume"), arguments: ["staging", "target"])
    func tooSmall(which: String) async throws {
        let place = try Workplace(serving: Self.content)
        let target = place.folder.path + "/volume"
        let volume = try SmallVolume(
            at: which == "staging" ? place.directory + "/agent/staging" : target, kilobytes: 32)
        defer { volume.unmount() }
        let event = try await place.run(
            try place.download(to: which == "staging" ? place.savePath : target + "/file.bin"))
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains("the volume of \(volume.path) has") == true, "\(event?.message ?? "")")
        try await place.wait(for: "the clean-up") {
            place.journal.isEmpty && place.stateEntries == 0 && place.leftovers.isEmpty
        }
    }

    @Test("a real volume that is full while staging does the same", .enabled(if: getuid() == 0, "mounts a volume"))
    func smallStagingVolume() async throws {
        let place = try Workplace(serving: Self.content)
        // For a file of unknown length this cannot be known before.
        place.server.setBehaviour(.withoutLength, for: "/file")
        let volume = try SmallVolume(at: place.directory + "/agent/staging", kilobytes: 32)
        defer { volume.unmount() }
        let event = try await place.run(try place.download())
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains(String(cString: strerror(ENOSPC))) == true, "\(event?.message ?? "")")
        try await place.wait(for: "the clean-up") {
            place.journal.isEmpty && place.stateEntries == 0 && place.leftovers.isEmpty
        }
    }

    @Test(
        "a real volume that is full while the file is copied to it fails the work and leaves the volume clean",
        .enabled(if: getuid() == 0, "mounting a volume needs root"))
    func fullWhileMoving() async throws {
        let place = try Workplace(serving: Self.content)
        place.server.setBehaviour(.withoutLength, for: "/file")
        let volume = try SmallVolume(at: place.folder.path + "/volume", kilobytes: 32)
        defer { volume.unmount() }
        let path = volume.path + "/file.bin"
        let event = try await place.run(try place.download(to: path))
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains(path) == true)
        #expect(event?.message?.contains(String(cString: strerror(ENOSPC))) == true, "\(event?.message ?? "")")
        #expect(try FileManager.default.contentsOfDirectory(atPath: volume.path).isEmpty)
        try await place.wait(for: "the clean-up") { place.journal.isEmpty && place.stateEntries == 0 }
    }

    @Test(
        "a target that cannot be written at the last step fails the work with the reason, and leaves nothing",
        arguments: [(EDQUOT, "quota"), (EROFS, "read-only"), (ENODEV, "volume is no longer"), (EIO, "disk reports")])
    func failingVolume(code: Int32, words: String) async throws {
        let place = try Workplace(serving: Self.content)
        let host = try place.startHost(
            stoppingAt: .failing("rename", "downloads/file.bin", errno: code), ["--attempts", "2"])
        #expect(await host.nextChange() == .exited(0), "\(place.logs)")
        let event = try #require(place.events.first)
        #expect(event.outcome == "failed")
        #expect(event.message.contains(words), "\(event.message)")
        #expect(event.message.contains(place.savePath), "\(event.message)")
        try await place.wait(for: "the clean-up") {
            place.journal.isEmpty && place.stateEntries == 0 && place.leftovers.isEmpty
        }
    }
}
