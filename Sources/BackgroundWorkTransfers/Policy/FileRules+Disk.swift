import BackgroundWorkFiles
import BackgroundWorkModel

extension FileRules {
    /// Opens the folder that a path leads to, unless its real place is not allowed. What is missing may be created. Throws
    /// ``RefusedPathError`` and ``FileError``; blocks.
    package func openFolder(_ path: String, creating: Bool) throws -> TargetFolder {
        let rules = try resolved()
        return try TargetFolder(path, creating: creating) { try rules.check($0, for: path) }
    }

    /// Opens the file that a path leads to for reading, unless its real place is not allowed. Does not wait for the writer
    /// of a pipe. Throws ``RefusedPathError`` and ``FileError``; blocks.
    package func openForReading(_ path: String) throws -> Int32 {
        let rules = try resolved()
        return try LinkFreePath.openForReading(path) { try rules.check($0, for: path) }
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
        guard let complaint = placeComplaint(about: realPath) else { return }
        throw RefusedPathError(path: path, realPath: realPath, reason: complaint)
    }
}
