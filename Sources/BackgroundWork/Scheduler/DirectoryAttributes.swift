import BackgroundWorkFiles
import BackgroundWorkFoundation
import BackgroundWorkTransfers

/// The attributes that a directory has on Apple's platforms, with the package's files in it.
enum DirectoryAttributes {
    /// The package's files and folders. Others may be in the directory, and stay as they are.
    private static let ownNames = [
        StandaloneFolder.schedulerDatabaseName, StandaloneFolder.databaseName, StandaloneFolder.lockName,
        TransferStateStore.fileName,
        BaseFolders.fileName, OwnerFolder.name, "url_sessions",
    ]

    /// Lets the files be used while the device is locked, and sets whether backups contain the directory; `nil`: as it
    /// is. Blocks the calling thread.
    ///
    /// - Parameter report: receives what could not be set. It is tried again at the next launch.
    static func set(on directory: String, isExcludedFromBackup: Bool?, report: (String) -> Void) {
        do {
            try FileAttributes.allowBackgroundUse(ofFolder: directory, isOwn: isOwn)
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

    /// Also a database's log and index, a lock file, what was set aside.
    private static func isOwn(_ name: String) -> Bool {
        ownNames.contains { name == $0 || name.hasPrefix($0 + "-") || name.hasPrefix($0 + ".") }
    }
}
