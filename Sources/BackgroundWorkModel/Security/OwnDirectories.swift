import Synchronization

/// The directories that this process has used for schedulers, `Downloader`s, `Uploader`s or as the agent. What the
/// package keeps there (``OwnNames``) is closed to all inputs: it holds the secrets of other work. They stay known when
/// their users are gone, since the files do.
package enum OwnDirectories {
    /// As written and as the system resolves them, by the spelling in which paths are compared. A dictionary, since each
    /// path of an input is looked up.
    private static let known = Mutex<[String: String]>([:])

    /// - Parameter path: absolute.
    package static func add(_ path: String) {
        let path = FileRules.folder(FileRules.normalized(path))
        known.withLock { $0[FileRules.spelled(path)] = path }
    }

    /// Why a path may not be used, as a sentence about "it"; `nil` if it may. By the path alone, which is normalized.
    static func complaint(about path: String) -> String? {
        let known = known.withLock { $0 }
        if known.isEmpty { return nil }
        var folder = ""
        for name in names(of: FileRules.spelled(path)) {
            if let directory = known[folder.isEmpty ? "/" : folder], OwnNames.contains(name) {
                return complaint(about: name, in: directory)
            }
            folder += "/" + name
        }
        return nil
    }

    /// - Parameter name: the package's.
    package static func complaint(about name: String, in directory: String) -> String {
        "\"\(name)\" in \(directory) is what the package keeps for itself, with the secrets of other work, and is closed "
            + "to requests under every policy; use another path"
    }

    /// The names on a path, by bytes: a slash may be part of a character.
    package static func names(of path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
    }
}
