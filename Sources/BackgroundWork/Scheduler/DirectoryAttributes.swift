import BackgroundWorkFiles
import BackgroundWorkFoundation
import BackgroundWorkModel

/// The attributes that a directory has on Apple's platforms, with the package's files in it.
enum DirectoryAttributes {
    /// Lets the files be used while the device is locked, and sets whether backups contain the directory; `nil`: as it
    /// is. Blocks the calling thread.
    ///
    /// - Parameter report: receives what could not be set. It is tried again at the next launch.
    static func set(on directory: String, isExcludedFromBackup: Bool?, report: (String) -> Void) {
        do {
            try FileAttributes.allowBackgroundUse(ofFolder: directory, isOwn: OwnNames.contains)
        } catch {
            report(
                "The data protection of \(directory) could not be set, so its files may not be readable while the device "
                    + "is locked: \(error.localizedDescription)")
        }
        guard let isExcludedFromBackup else { return }
        do {
            try FileAttributes.setExcludedFromBackup(isExcludedFromBackup, folder: directory)
        } catch {
            let effect = isExcludedFromBackup ? "excluded from backups" : "included in backups"
            report("\(directory) could not be \(effect): \(error.localizedDescription)")
        }
    }
}
