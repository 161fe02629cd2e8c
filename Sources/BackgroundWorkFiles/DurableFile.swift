import BackgroundWorkSystem

/// Replacing and moving files so that a crash at any instant leaves either the complete old file or the complete new
/// one.
package enum DurableFile {
    /// Writes a temporary beside the target, fsyncs it, renames it over the target, and fsyncs the folder.
    ///
    /// When it returns, the new content survives a power cut. On an error the target is untouched and the temporary is
    /// gone. The caller must prevent concurrent writers: the temporary's name is fixed.
    package static func replace(_ path: String, with bytes: some Collection<UInt8>) throws {
        let temporary = path + ".new"
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC
        let descriptor = SystemCall.repeated { open(temporary, flags, 0o600) }
        guard descriptor >= 0 else { throw FileError(action: "create", path: temporary, code: errno) }
        do {
            defer { close(descriptor) }
            try write(Array(bytes), to: descriptor, path: temporary)
            try synchronize(descriptor, path: temporary)
        } catch {
            unlink(temporary)
            throw error
        }
        try rename(temporary, to: path)
    }

    /// Renames and fsyncs the target's folder. Throws a ``FileError`` with code EXDEV across volumes.
    package static func rename(_ source: String, to target: String) throws {
        try renameOnly(source, to: target)
        try Folder.synchronize(folder(of: target))
    }

    /// Renames without syncing the folder, which is left to the caller. Throws as ``rename(_:to:)`` does.
    package static func renameOnly(_ source: String, to target: String) throws {
        let answer = SystemCall.repeated { BackgroundWorkSystem.rename(source, target) }
        guard answer == 0 else { throw FileError(action: "move \(source) to", path: target, code: errno) }
    }

    /// Copies to a new file of this user alone, in pieces, and fsyncs it; on an error the incomplete copy is removed.
    ///
    /// - Parameters:
    ///   - head: is written before the source's bytes.
    ///   - tail: is written after them.
    package static func copy(
        _ source: String, to target: String, head: [UInt8] = [], tail: [UInt8] = []
    ) throws {
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC
        let output = SystemCall.repeated { open(target, flags, 0o600) }
        guard output >= 0 else { throw FileError(action: "create", path: target, code: errno) }
        do {
            defer { close(output) }
            try write(head, to: output, path: target)
            try copy(source, to: output, path: target)
            try write(tail, to: output, path: target)
            try synchronize(output, path: target)
        } catch {
            unlink(target)
            throw error
        }
    }

    /// - Parameter path: the output's, for errors.
    static func copy(_ source: String, to output: Int32, path: String) throws {
        let input = SystemCall.repeated { open(source, O_RDONLY | O_CLOEXEC) }
        guard input >= 0 else { throw FileError(action: "read", path: source, code: errno) }
        defer { close(input) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(input, &buffer, buffer.count)
            if count == 0 { return }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw FileError(action: "read", path: source, code: errno)
            }
            try buffer.withUnsafeBytes {
                try write(UnsafeRawBufferPointer(rebasing: $0[..<count]), to: output, path: path)
            }
        }
    }

    /// - Parameter path: the open file's, for errors.
    package static func synchronize(_ descriptor: Int32, path: String) throws {
        guard SystemCall.repeated({ fsync(descriptor) }) == 0 else {
            throw FileError(action: "synchronize", path: path, code: errno)
        }
    }

    /// Writes what the system still holds of a file to the disk. Throws a ``FileError``.
    package static func synchronize(_ path: String) throws {
        let descriptor = SystemCall.repeated { open(path, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw FileError(action: "open", path: path, code: errno) }
        defer { close(descriptor) }
        try synchronize(descriptor, path: path)
    }

    /// Removes a file that may be missing. What cannot be removed stays.
    package static func remove(_ path: String) { unlink(path) }

    /// The folder that holds a path.
    package static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The last part of a path.
    package static func name(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }

    /// The same path without slashes at its end; the root keeps its own.
    package static func withoutTrailingSlashes(_ path: String) -> String {
        var path = path
        while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32, path: String) throws {
        try bytes.withUnsafeBytes { try write($0, to: descriptor, path: path) }
    }

    /// Writes all bytes where the open file is. Throws a ``FileError``.
    ///
    /// - Parameter path: the open file's, for errors.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, path: String) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest)
            let count = SystemCall.repeated { BackgroundWorkSystem.write(descriptor, piece.baseAddress, piece.count) }
            guard count >= 0 else { throw FileError(action: "write", path: path, code: errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Writes all bytes from `offset` on, without moving the open file's position. Throws a ``FileError``.
    ///
    /// - Parameter path: the open file's, for errors.
    package static func write(
        _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int64, path: String
    ) throws {
        var (rest, position) = (bytes[...], offset)
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest)
            let count = SystemCall.repeated { pwrite(descriptor, piece.baseAddress, piece.count, off_t(position)) }
            guard count >= 0 else { throw FileError(action: "write", path: path, code: errno) }
            rest = rest.dropFirst(count)
            position += Int64(count)
        }
    }
}
