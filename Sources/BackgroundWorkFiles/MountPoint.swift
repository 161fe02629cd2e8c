import BackgroundWorkFoundation
import BackgroundWorkSystem

/// The folder at which a volume is mounted, which distinguishes the volume of a path from the one beneath it after an
/// unmount.
///
/// Device numbers are not suitable: the same volume may have another one after a reboot or a new mount. It does not
/// matter which volume is mounted here, only that one is.
package struct MountPoint: Sendable, Hashable {
    /// Absolute and without links.
    package let path: String

    package init(path: String) { self.path = path }

    /// The mount point of the volume that holds an existing folder; `nil` for the root's volume, which cannot be
    /// unmounted.
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

    /// Throws a ``VolumeGoneError`` when nothing is mounted here any longer, and `folder`, or the existing part of its
    /// path, is beneath this mount point. A path that now leads elsewhere, for example by a link, is accepted.
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

    /// Reads its own entries, so that a volume that is mounted on demand is mounted now.
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

/// The volume on which a file was to be saved was unmounted, and its path leads to another one.
package struct VolumeGoneError: Error, Hashable, CustomStringConvertible {
    /// The folder in which the file was to be saved.
    package var folder: String
    /// Where the volume was mounted.
    package var mountPoint: String
    /// Where the volume to which the path leads now is mounted.
    package var beneath: String

    package var description: String {
        "When this was handed off, \(folder) was on the volume mounted at \(mountPoint); nothing is mounted there now, and "
            + "the path leads to the volume mounted at \(beneath), so nothing was saved. Mount the volume and enqueue "
            + "the request again."
    }
}

extension VolumeGoneError: LocalizedError {
    /// The same as `description`.
    package var errorDescription: String? { description }
}
