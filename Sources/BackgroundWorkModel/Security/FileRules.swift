import BackgroundWorkFoundation

/// Which files the built-in workers may read and write under a policy, by the path alone. Paths are compared by their
/// bytes, as the file system does.
///
/// A path with links is checked twice: as it is written, and, when it is opened, as the system has resolved it.
package struct FileRules: Sendable, Hashable {
    /// What a file is for.
    package enum Use: Sendable, Hashable {
        /// To be saved or sent.
        case content
        /// A certificate or key for TLS. It is only read, and never sent, so /etc is open as well.
        case certificate
    }

    /// The most bytes of a file's name (NAME_MAX).
    package static let longestName = 255
    #if BACKGROUNDWORK_HAS_DARWIN
    /// The most bytes of a path (PATH_MAX without its NUL).
    package static let longestPath = 1_023
    /// /etc is a link there.
    private static let configurationFolders = ["/etc", "/private/etc"]
    #else
    /// The most bytes of a path (PATH_MAX without its NUL).
    package static let longestPath = 4_095
    private static let configurationFolders = ["/etc"]
    #endif
    /// Closed to every policy.
    private static let kernelFolders = ["/proc", "/sys"]
    private static let deviceFolder = "/dev"
    /// Memory in the form of a folder. Open to a policy that names it.
    private static let memoryFolder = "/dev/shm"

    /// The folders with all below them that may be used; `nil` for all but the system's.
    package let allowedDirectories: [String]?

    package init(allowedDirectories: (some Sequence<String>)?) {
        // One that is not absolute allows nothing.
        self.allowedDirectories = allowedDirectories?.filter { $0.utf8.first == UInt8(ascii: "/") }
            .map { Self.folder(Self.normalized($0)) }.sorted()
    }

    package init(_ policy: SecurityPolicy) { self.init(allowedDirectories: policy.allowedDirectories) }

    /// Why a path may not be used, as a sentence about "it"; `nil` if it may.
    package func complaint(about path: String, for use: Use = .content) -> String? {
        guard path.contains(where: { !$0.isWhitespace }) else { return "it is blank" }
        guard path.utf8.first == UInt8(ascii: "/") else {
            // A URL was given as a path, perhaps, which may have a secret.
            return path.contains(where: { ":@?".contains($0) })
                ? "it must be an absolute path" : "it is \"\(path.prefix(200))\", but must be an absolute path"
        }
        guard !path.utf8.contains(0) else { return "it contains a NUL character" }
        guard path.utf8.count <= Self.longestPath else {
            return "it has \(path.utf8.count) bytes, but a path may have at most \(Self.longestPath)"
        }
        let parts = path.utf8.split(separator: UInt8(ascii: "/"))
        guard !parts.contains(where: { $0.elementsEqual("..".utf8) }) else {
            return "it is \"\(path.prefix(200))\", but must not contain \"..\"; write the path that it leads to"
        }
        if let long = parts.first(where: { $0.count > Self.longestName }) {
            return "a name in it has \(long.count) bytes, but may have at most \(Self.longestName)"
        }
        return placeComplaint(about: Self.normalized(path), for: use)
    }

    /// The same for a path that is absolute and normalized.
    package func placeComplaint(about path: String, for use: Use = .content) -> String? {
        if let complaint = OwnDirectories.complaint(about: path) { return complaint }
        for folder in Self.kernelFolders where Self.contains(folder, path) {
            return "it is in \(folder), where no files are read or written"
        }
        if Self.contains(Self.deviceFolder, path), !names(Self.memoryFolder, for: path) {
            return Self.contains(Self.memoryFolder, path)
                ? "it is in \(Self.memoryFolder), " + Self.advice
                : "it is in \(Self.deviceFolder), where no files are read or written"
        }
        let isConfiguration = Self.configurationFolders.contains { Self.contains($0, path) }
        if isConfiguration {
            if use == .certificate { return nil }
            guard Self.configurationFolders.contains(where: { names($0, for: path) }) else {
                return "it is in /etc, " + Self.advice
            }
        }
        guard let allowedDirectories, !allowedDirectories.contains(where: { Self.contains($0, path) }) else {
            return nil
        }
        return allowedDirectories.isEmpty
            ? "the security policy allows no folder for files"
            : "it is outside of the folders that the security policy allows (allowedDirectories): "
                + allowedDirectories.joined(separator: ", ")
    }

    private static let advice = "which a security policy allows only if its allowedDirectories name it"

    /// Whether a folder is allowed that is this system folder or in it, and has the path.
    private func names(_ systemFolder: String, for path: String) -> Bool {
        allowedDirectories?.contains { Self.contains(systemFolder, $0) && Self.contains($0, path) } ?? false
    }

    /// Without doubled slashes and "." components. A slash at the end, by which a folder is meant, stays.
    package static func normalized(_ path: String) -> String {
        let bytes = Array(path.utf8)
        let slash = UInt8(ascii: "/")
        let parts = bytes.split(separator: slash)
        let kept = parts.filter { !$0.elementsEqual(".".utf8) }
        let isFolder = bytes.last == slash || (parts.last?.elementsEqual(".".utf8) ?? false)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for part in kept {
            result.append(slash)
            result += part
        }
        if isFolder || result.isEmpty { result.append(slash) }
        return String(decoding: result, as: UTF8.self)
    }

    /// Without a slash at its end.
    static func folder(_ path: String) -> String {
        path.utf8.count > 1 && path.utf8.last == UInt8(ascii: "/") ? String(path.utf8.dropLast()) ?? path : path
    }

    /// Whether a path is the folder or below it. Both are normalized.
    private static func contains(_ folder: String, _ path: String) -> Bool {
        let (folder, path) = (spelled(folder), spelled(path))
        if folder == "/" { return true }
        guard path.utf8.starts(with: folder.utf8) else { return false }
        let rest = path.utf8.dropFirst(folder.utf8.count)
        return rest.isEmpty || rest.first == UInt8(ascii: "/")
    }

    #if BACKGROUNDWORK_HAS_DARWIN
    /// By one spelling for /private/var and /var, /private/tmp and /tmp, and without capital letters: file systems there
    /// usually take either case.
    static func spelled(_ path: String) -> String {
        let path = path.lowercased()
        for name in ["/var", "/tmp"] where path == "/private" + name || path.hasPrefix("/private" + name + "/") {
            return String(path.dropFirst(8))
        }
        return path
    }
    #else
    /// As it is compared.
    static func spelled(_ path: String) -> String { path }
    #endif
}

/// A path leads to where the security policy does not let files be read or written. Trying again cannot help.
package struct RefusedPathError: Error, Hashable, CustomStringConvertible {
    /// As it was asked for.
    package var path: String
    /// Where it leads; the same if there are no links in it.
    package var realPath: String
    /// As a sentence about "it".
    package var reason: String

    package init(path: String, realPath: String, reason: String) {
        self.path = path
        self.realPath = realPath
        self.reason = reason
    }

    package var description: String {
        (path == realPath ? path : "\(path), which leads to \(realPath),") + " may not be used: \(reason)"
    }
}

extension RefusedPathError: LocalizedError {
    /// The same as `description`.
    package var errorDescription: String? { description }
}
