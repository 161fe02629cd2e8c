import BackgroundWorkFoundation
import BackgroundWorkSystem

/// What Apple's file systems keep of a file beside its permissions: when it can be read and written (its data protection
/// class), and whether backups contain it.
package enum FileAttributes {
    /// Excludes a folder from backups, with all that is in it, or includes it.
    ///
    /// Not for single files: a file that replaces another one is included again.
    package static func setExcludedFromBackup(_ isExcluded: Bool, folder: String) throws {
        var url = URL(filePath: folder, directoryHint: .isDirectory)
        var values = URLResourceValues()
        values.isExcludedFromBackup = isExcluded
        try url.setResourceValues(values)
    }

    #if BACKGROUNDWORK_HAS_DATA_PROTECTION
    /// Lets a folder be used while the device is locked, from the first unlock after a restart on, and with it those of
    /// its entries that `isOwn` accepts, by name, with all that is in them.
    ///
    /// What is created in the folder takes its class. What is in it has its own class, and comes first, so nothing has
    /// to be done again for a folder that has the class.
    package static func allowBackgroundUse(ofFolder folder: String, isOwn: (String) -> Bool = { _ in true }) throws {
        if try allowsBackgroundUse(folder) { return }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where isOwn(name) {
            let path = folder + "/" + name
            do {
                switch type(of: path) {
                case S_IFDIR: try allowBackgroundUse(ofFolder: path)
                case S_IFREG: try allowBackgroundUse(ofFile: path)
                // Only those two have a class.
                default: continue
                }
            } catch  where FileIdentity(path: path) == nil {
                // Removed in the meantime, by another process or as a database was closed.
            }
        }
        try setClass(of: folder)
    }

    /// The same for a file.
    package static func allowBackgroundUse(ofFile path: String) throws {
        if try !allowsBackgroundUse(path) { try setClass(of: path) }
    }

    /// Whether a file is refused only until the device is unlocked: the permissions allow what the system does not.
    ///
    /// - Parameter code: the error number of opening or creating the file.
    package static func isWithheld(_ path: String, code: Int32) -> Bool {
        guard code == EPERM else { return false }
        if access(path, R_OK | W_OK) == 0 { return true }
        return errno == ENOENT && access(DurableFile.folder(of: path), W_OK | X_OK) == 0
    }

    private static func allowsBackgroundUse(_ path: String) throws -> Bool {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        guard let known = attributes[.protectionKey] as? FileProtectionType else { return false }
        // One without protection can be used earlier still: somebody has chosen that.
        return known == FileProtectionType.completeUntilFirstUserAuthentication || known == FileProtectionType.none
    }

    private static func setClass(of path: String) throws {
        try FileManager.default.setAttributes(
            [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication], ofItemAtPath: path)
    }

    /// `nil` if there is nothing.
    private static func type(of path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }
    #else
    /// Does nothing: a Mac's files can be used as long as their volume is mounted.
    package static func allowBackgroundUse(ofFolder folder: String, isOwn: (String) -> Bool = { _ in true }) throws {}

    /// Does nothing, too.
    package static func allowBackgroundUse(ofFile path: String) throws {}

    /// Whether a file is refused only until the device is unlocked. Never here.
    package static func isWithheld(_ path: String, code: Int32) -> Bool { false }
    #endif
}
