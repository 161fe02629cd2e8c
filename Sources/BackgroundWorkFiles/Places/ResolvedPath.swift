import BackgroundWorkSystem

/// A path without links: the part of it that exists, as the system resolves it, and the names that are missing below.
package struct ResolvedPath: Sendable, Hashable {
    package let existing: String
    package let missing: [String]

    /// The whole path.
    package var path: String {
        missing.isEmpty ? existing : (existing == "/" ? "" : existing) + "/" + missing.joined(separator: "/")
    }

    /// Follows all links of an absolute path without "..". Throws ``FileError`` when the system cannot tell.
    package init(_ path: String) throws {
        var (rest, missing) = (DurableFile.withoutTrailingSlashes(path), [String]())
        while true {
            if let text = realpath(rest, nil) {
                defer { free(text) }
                existing = String(cString: text)
                self.missing = missing.reversed()
                return
            }
            guard errno == ENOENT, rest != "/" else { throw FileError(action: "inspect", path: rest, code: errno) }
            missing.append(DurableFile.name(of: rest))
            rest = DurableFile.withoutTrailingSlashes(DurableFile.folder(of: rest))
        }
    }
}
