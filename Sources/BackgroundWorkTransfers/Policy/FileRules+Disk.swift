import BackgroundWorkFiles
import BackgroundWorkModel

extension FileRules {
    /// Opens the folder that a path leads to, unless its real place is not allowed. What is missing may be created. Names
    /// in it that are the package's own (``OwnNames``) can be neither looked up nor used. Throws ``RefusedPathError`` and
    /// ``FileError``, as the folder's methods then do; blocks.
    package func openFolder(_ path: String, creating: Bool) throws -> TargetFolder {
        let rules = try resolved()
        return try TargetFolder(
            path, creating: creating, checkName: { try Self.check(name: $0, in: $1, for: path) },
            check: { try rules.check($0, for: path) })
    }

    /// Opens the file that a path leads to for reading, unless its real place is not allowed. Does not wait for the writer
    /// of a pipe. Throws ``RefusedPathError`` and ``FileError``; blocks.
    package func openForReading(_ path: String) throws -> Int32 {
        let rules = try resolved()
        return try LinkFreePath.openForReading(path) { try rules.check($0, for: path) }
    }

    /// Throws ``RefusedPathError`` when a path leads to a file that the package keeps for itself; blocks.
    package static func refuseOwnFile(at path: String) throws {
        let realPath = try ResolvedPath(path).path
        guard let complaint = OwnDirectories.complaint(aboutPlace: realPath) else { return }
        throw RefusedPathError(path: path, realPath: realPath, reason: complaint)
    }

    /// The name in a folder that is open.
    private static func check(name: String, in realFolder: String, for folder: String) throws(RefusedPathError) {
        guard let complaint = OwnDirectories.complaint(about: name, inPlace: realFolder) else { return }
        func path(_ folder: String) -> String { DurableFile.withoutTrailingSlashes(folder) + "/" + name }
        throw RefusedPathError(path: path(folder), realPath: path(realFolder), reason: complaint)
    }

    /// With the places that the allowed folders lead to.
    private func resolved() throws -> FileRules {
        FileRules(
            allowedDirectories: try allowedDirectories?.compactMap { folder in
                do {
                    return try ResolvedPath(folder).path
                } catch let error as FileError where !error.isTransient {
                    // It leads nowhere, so it allows nothing. The others do.
                    return nil
                }
            })
    }

    private func check(_ realPath: String, for path: String) throws(RefusedPathError) {
        let complaint = placeComplaint(about: realPath) ?? OwnDirectories.complaint(aboutPlace: realPath)
        guard let complaint else { return }
        throw RefusedPathError(path: path, realPath: realPath, reason: complaint)
    }
}
