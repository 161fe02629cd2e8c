import BackgroundWorkSystem
import Foundation

/// A volume of a few kilobytes, which a test can fill. Needs the right to mount.
struct SmallVolume {
    let path: String

    init(at path: String, kilobytes: Int) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(kilobytes)k") == 0 else {
            throw POSIXError(.init(rawValue: errno) ?? .EPERM)
        }
        self.path = path
    }

    func makeReadOnly() throws {
        guard mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0 else {
            throw POSIXError(.init(rawValue: errno) ?? .EPERM)
        }
    }

    func unmount() { umount2(path, Int32(MNT_DETACH)) }
}
