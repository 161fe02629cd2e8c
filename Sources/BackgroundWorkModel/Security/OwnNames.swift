/// The names of what the package keeps in the directory of a scheduler, a `Downloader` or an `Uploader`. Others may be
/// in the directory, and are free.
package enum OwnNames {
    /// Files, each with what is named after it: a database's log and index, a lock, a temporary, what was set aside.
    private static let files = [
        "work.sqlite", "standalone.sqlite", "bg_url_session_state.json", "base_folders.json", "direct.lock",
        "direct.alive",
    ]
    /// Folders with all below them.
    private static let folders = ["agent", "owners", "partials", "url_sessions"]
    /// How a file is named that is created to find the umask.
    private static let probe = ".mode-"

    /// Those that do not vary.
    package static let fixed = files + folders

    /// Whether a name in the directory is the package's. In any spelling that some file system takes for the same: with
    /// capital letters, or with characters that are ignored.
    package static func contains(_ name: String) -> Bool {
        let name = folded(name)
        return folders.contains(name) || name.hasPrefix(probe)
            || files.contains { name == $0 || name.hasPrefix($0 + "-") || name.hasPrefix($0 + ".") }
    }

    private static func folded(_ name: String) -> String {
        if name.utf8.allSatisfy({ $0 < 0x80 }) { return name.lowercased() }
        let scalars = name.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }
        // Some characters have only the capital, or only the small letter, in common with an ordinary one.
        return String(String.UnicodeScalarView(scalars)).uppercased().lowercased()
    }
}
