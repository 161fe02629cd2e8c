import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkFiles

/// A plain folder replaces an empty mount point: it looks the same.
@Suite("Where a volume is mounted")
struct MountPointTests {
    private let temporary: TemporaryFolder
    private let folder: String

    init() throws {
        temporary = try TemporaryFolder()
        folder = URL(filePath: temporary.path).resolvingSymlinksInPath().path
        try FileManager.default.createDirectory(atPath: folder + "/left/sub", withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: folder + "/elsewhere", withIntermediateDirectories: true)
    }

    private func gone(_ path: String, _ mountPoint: String) -> VolumeGoneError? {
        #expect(throws: VolumeGoneError.self) { try MountPoint(path: mountPoint).check(path) }
    }

    @Test("of the root's volume nothing is kept")
    func root() throws {
        #expect(MountPoint(holding: "/") == nil)
        #expect(MountPoint(holding: "/nowhere/at/all") == nil)
    }

    @Test(
        "another volume is known by where it is mounted, and nothing is wrong while it is",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/task"), "the system has no /proc"))
    func mounted() throws {
        let found = try #require(MountPoint(holding: "/proc/self/task"))
        #expect(found.path == "/proc")
        try found.check("/proc/self/task")
        try found.check("/proc/nothing/here")
        try found.check(folder)
    }

    @Test("where nothing is mounted any longer no file may be moved, whatever remains of the path")
    func unmounted() {
        let left = folder + "/left"
        let error = gone(left + "/sub", left)
        #expect(error?.description.contains(left + "/sub") == true)
        #expect(error?.description.contains("mounted at \(left);") == true)
        _ = gone(left, left)
        _ = gone(left + "/was/there", left)
        _ = gone(folder + "//left//was", left)
        _ = gone("/no-such-volume/there", "/no-such-volume")
        _ = gone(folder + "/unplugged/sub", folder + "/unplugged")
    }

    @Test("a path that now leads elsewhere may be used")
    func elsewhere() throws {
        let link = folder + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder + "/left")
        #expect(throws: VolumeGoneError.self) { try MountPoint(path: folder + "/left").check(link + "/sub") }
        try FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder + "/elsewhere")
        try MountPoint(path: folder + "/left").check(link + "/sub")
        try MountPoint(path: folder + "/left").check(folder + "/leftover")
    }
}
