import BackgroundWorkSystem
import Foundation
import TestSupport

/// A small volume with a scheduler's directory on it, which a test fills and empties.
///
/// Needs the right to mount.
final class FullVolume: Sendable {
    let folder: TemporaryFolder
    private let volume: SmallVolume

    init(kilobytes: Int = 2048) throws {
        folder = try TemporaryFolder()
        volume = try SmallVolume(at: folder.path + "/volume", kilobytes: kilobytes)
    }

    deinit { volume.unmount() }

    var directory: String { volume.path + "/scheduler" }
    private var ballast: String { volume.path + "/ballast" }

    /// Takes all the room there is, but for so many kilobytes.
    func fill(leaving kilobytes: Int = 0) throws {
        let file = open(ballast, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        defer { close(file) }
        let block = [UInt8](repeating: 1, count: 4096)
        var written = 0
        while write(file, block, block.count) > 0 { written += block.count }
        guard ftruncate(file, off_t(max(0, written - kilobytes << 10))) == 0 else {
            throw POSIXError(.init(rawValue: errno) ?? .EIO)
        }
    }

    /// Gives the room back.
    func empty() { unlink(ballast) }
}
