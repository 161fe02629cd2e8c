import BackgroundWorkSystem
import BackgroundWorkFoundation

/// The folder at which a volume is mounted, by which the volume of a path is told from the one that lies beneath when it
/// is gone.
///
/// Device numbers do not do for that: they may be others after a reboot, or when a volume is mounted once more, and it is
/// the same volume all the same. Which volume is mounted here does not matter; that one is does.
package struct MountPoint: Sendable, Hashable {
    /// Absolute and without links.
    package let path: String

    package init(path: String) { self.path = path }

    /// Of the volume on which a folder lies that is there; `nil` for the root's volume, which cannot go.
    package init?(holding folder: String) {
        guard let device = Self.device(folder), device != Self.deviceOfRoot, var path = Self.resolved(folder) else {
            return nil
        }
        while path != "/" {
            let above = DurableFile.folder(of: path)
            if Self.device(above) != device {
                self.path = path
                return
            }
            path = above
        }
        return nil
    }

    /// Throws a ``VolumeGoneError`` when nothing is mounted here any more, and `folder`, or what there is of it, lies
    /// beneath. What has been led elsewhere meanwhile, by a link say, may go there.
    package func check(_ folder: String) throws {
        if isMounted { return }
        var existing = folder
        while existing != "/", Self.resolved(existing) == nil { existing = DurableFile.folder(of: existing) }
        let real = Self.resolved(existing) ?? existing
        let missing = folder.dropFirst(existing.count).split(separator: "/")
        let place = ((real == "/" ? "" : real) + "/" + missing.joined(separator: "/")) + "/"
        guard place.hasPrefix(path + "/") else { return }
        throw VolumeGoneError(folder: folder, mountPoint: path, beneath: MountPoint(holding: real)?.path ?? "/")
    }

    /// By its own entries, so that a volume that is mounted on demand is.
    private var isMounted: Bool {
        guard let here = Self.device(path + "/.") else { return errno == EACCES }
        return here != Self.device(path + "/..")
    }

    /// A process has one root.
    private static let deviceOfRoot = device("/")

    private static func device(_ path: String) -> UInt64? {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(truncatingIfNeeded: status.st_dev) : nil
    }

    private static func resolved(_ path: String) -> String? {
        guard let text = realpath(path, nil) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }
}

/// The volume on which a file was to be put has been unmounted, and its path leads to another one.
package struct VolumeGoneError: Error, Hashable, CustomStringConvertible {
    /// Where the file was to be put.
    package var folder: String
    /// Where the volume was mounted.
    package var mountPoint: String
    /// Where the volume is mounted that the path leads to now.
    package var beneath: String

    package var description: String {
        "When this was handed off, \(folder) was on the volume mounted at \(mountPoint); nothing is mounted there now, and "
            + "the path leads to the volume mounted at \(beneath), where nothing was put. Mount the volume and enqueue the "
            + "request again."
    }
}

extension VolumeGoneError: LocalizedError {
    /// The same as `description`.
    package var errorDescription: String? { description }
}
