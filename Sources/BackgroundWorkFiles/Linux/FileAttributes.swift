/// What Apple's file systems keep of a file beside its permissions. Linux has nothing of the kind.
package enum FileAttributes {
    /// Does nothing: no file is withheld.
    package static func allowBackgroundUse(ofFolder folder: String, isOwn: (String) -> Bool = { _ in true }) throws {}

    /// Does nothing: no file is withheld.
    package static func allowBackgroundUse(ofFile path: String) throws {}

    /// Does nothing: which files a backup contains is up to the program that makes it.
    package static func setExcludedFromBackup(_ isExcluded: Bool, folder: String) throws {}

    /// Whether a file is refused only until the device is unlocked. Never here.
    package static func isWithheld(_ path: String, code: Int32) -> Bool { false }
}
