import BackgroundWorkSystem

/// Opens what a path leads to when its links are resolved, once that place has been checked.
package enum LinkFreePath {
    private static let mostTries = 8

    /// Opens a regular file, or any other, for reading. Does not wait for the writer of a pipe. Throws what `check` throws,
    /// and ``FileError``.
    ///
    /// - Parameter check: gets the path without links; throws when the file may not be used.
    package static func openForReading(_ path: String, check: (String) throws -> Void) throws -> Int32 {
        try opened(path, check: check) { place in
            guard place.missing.isEmpty else { throw FileError(action: "read", path: path, code: ENOENT) }
            return SystemCall.repeated { open(place.existing, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) }
        }
    }

    /// Resolves a path, checks the result, and opens it without following links. When a link has appeared meanwhile, it
    /// is resolved and checked again.
    ///
    /// - Parameter open: returns the descriptor, or -1 with the error number.
    static func opened(
        _ path: String, check: (String) throws -> Void, open: (ResolvedPath) throws -> Int32
    ) throws -> Int32 {
        var code: Int32 = 0
        for _ in 0..<mostTries {
            let place = try ResolvedPath(path)
            try check(place.path)
            let descriptor = try open(place)
            if descriptor >= 0 { return descriptor }
            code = errno
            // A link is ELOOP, or ENOTDIR where a folder is asked for.
            guard [ELOOP, ENOTDIR, ENOENT].contains(code) else { break }
        }
        throw FileError(action: "open", path: path, code: code)
    }
}
