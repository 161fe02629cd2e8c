import BackgroundWorkSystem

/// An open folder in which a finished file gets its name. All is done through its descriptor, so it does not matter
/// whether its path leads elsewhere meanwhile. Links at names in it are not followed.
package final class TargetFolder: Sendable {
    /// As it was asked for.
    package let path: String
    /// For calls such as openat(2). On Linux nothing can be read by it.
    package let descriptor: Int32
    /// Without links.
    private let place: String
    private let checkOfNames: @Sendable (_ name: String, _ place: String) throws -> Void

    /// Opens a folder. Links in its path are followed, and the folder that they lead to is the one that `check` sees:
    /// when the path is changed in between, it is resolved again.
    ///
    /// - Parameters:
    ///   - creating: whether it is created, with those above it, when it is missing. What `check` refuses is not created.
    ///   - checkName: gets each name that is looked up or given to a file, and the folder's path without links; throws
    ///     when the name may not be used.
    ///   - check: gets the path without links; throws when the folder may not be used.
    package init(
        _ path: String, creating: Bool,
        checkName: @escaping @Sendable (_ name: String, _ place: String) throws -> Void = { _, _ in },
        check: (String) throws -> Void
    ) throws {
        self.path = path
        checkOfNames = checkName
        var opened = path
        descriptor = try LinkFreePath.opened(path, check: check) { place in
            guard creating || place.missing.isEmpty else { throw FileError.missing(path) }
            opened = place.path
            return try Self.open(place)
        }
        place = opened
    }

    /// Throws when a name may not be used.
    package func check(name: String) throws { try checkOfNames(name, place) }

    deinit { close(descriptor) }

    /// -1 when a link has appeared.
    private static func open(_ place: ResolvedPath) throws -> Int32 {
        var folder = SystemCall.repeated { LinkFreePath.openFolder(place.existing) }
        for name in place.missing {
            if folder < 0 { break }
            let above = folder
            defer { close(above) }
            if mkdirat(above, name, 0o755) != 0, errno != EEXIST {
                throw FileError(action: "create the folder", path: place.path, code: errno)
            }
            folder = SystemCall.repeated { LinkFreePath.openFolder(name, in: above) }
        }
        return folder
    }

    private func error(_ action: String, _ name: String, code: Int32 = errno) -> FileError {
        FileError(action: action, path: path == "/" ? path + name : path + "/" + name, code: code)
    }

    /// The file with a name; `nil` if there is none.
    package func identity(of name: String) throws -> FileIdentity? { try status(of: name).map(FileIdentity.init) }

    private func status(of name: String) throws -> stat? {
        try check(name: name)
        var status = stat()
        if SystemCall.repeated({ fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) }) == 0 { return status }
        if errno == ENOENT { return nil }
        throw error("inspect", name)
    }

    /// Throws when there is something at a name that a file must not replace.
    package func refuseSpecialFile(at name: String) throws {
        if let kind = try status(of: name).flatMap(SpecialFile.kind) {
            throw error("replace \(kind) by a file:", name, code: EEXIST)
        }
    }

    /// Throws when a name, which only this package uses, has been given to something that is not a file.
    package func requireFile(at name: String) throws {
        guard let status = try status(of: name), status.st_mode & S_IFMT != S_IFREG else { return }
        throw FileError.notRegular(action: "use", path: path + "/" + name)
    }

    /// Creates a file with the permissions of any new file of this process, and opens it for writing. Throws a
    /// ``FileError`` with code EEXIST if the name is taken.
    package func create(_ name: String) throws -> Int32 {
        try check(name: name)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let file = SystemCall.repeated { openat(descriptor, name, flags, 0o666) }
        guard file >= 0 else { throw error("create", name) }
        return file
    }

    /// Creates such a file without a name, for reading and writing: it is gone when it is closed, unless ``name(_:_:)``
    /// has given it one. `nil` where the volume, or the platform, has no such files.
    package func createUnnamed() -> Int32? {
        let file = SystemCall.repeated { UnnamedFile.create(in: descriptor) }
        return file >= 0 ? file : nil
    }

    /// Gives a file without a name one. Throws a ``FileError``, with code EEXIST if the name is taken.
    package func name(_ file: Int32, _ name: String) throws {
        try check(name: name)
        guard SystemCall.repeated({ UnnamedFile.name(file, name, in: descriptor) }) == 0 else {
            throw error("create", name)
        }
    }

    /// Opens a file, or what else has the name; a link is not followed. Throws ``FileError``.
    ///
    /// - Parameters:
    ///   - flags: of open(2).
    ///   - mode: of a file that is created, without the umask.
    package func open(_ name: String, _ flags: Int32, mode: mode_t = 0o600) throws -> Int32 {
        try check(name: name)
        let file = SystemCall.repeated { openat(descriptor, name, flags | O_CLOEXEC | O_NOFOLLOW, mode) }
        guard file >= 0 else { throw error(flags & O_CREAT == 0 ? "open" : "create", name) }
        return file
    }

    /// Whether a folder has the name.
    package func hasFolder(_ name: String) throws -> Bool {
        guard let status = try status(of: name) else { return false }
        return status.st_mode & S_IFMT == S_IFDIR
    }

    /// Moves a file from another folder here, in one rename. Throws ``FileError`` with EXDEV across volumes.
    package func take(_ source: String, as name: String) throws {
        try check(name: name)
        try move(source, to: name)
    }

    private func move(_ source: String, to name: String) throws {
        let answer = SystemCall.repeated { renameat(AT_FDCWD, source, descriptor, name) }
        guard answer == 0 else { throw error("move \(source) to", name) }
    }

    /// The same for a file in a folder that only this user can enter. It has its permissions when it gets its name; a
    /// file that cannot be moved is for this user alone again.
    package func take(_ source: String, as name: String, mode: CreationMode) throws {
        try check(name: name)
        try mode.set(onFileAt: source)
        do {
            try move(source, to: name)
        } catch {
            chmod(source, 0o600)
            throw error
        }
    }

    /// Copies a file from another folder here and fsyncs it; on an error the incomplete copy is removed. What has the
    /// name is removed before, not written to.
    package func copy(_ source: String, as name: String, mode: CreationMode) throws {
        try check(name: name)
        remove(name)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let output = SystemCall.repeated { openat(descriptor, name, flags, 0o600) }
        guard output >= 0 else { throw error("create", name) }
        defer { close(output) }
        do {
            try DurableFile.copy(source, to: output, path: path + "/" + name)
            try mode.set(on: output, path: path + "/" + name)
            try DurableFile.synchronize(output, path: path + "/" + name)
        } catch {
            remove(name)
            throw error
        }
    }

    /// Renames within the folder; another file with the new name is replaced.
    package func rename(_ name: String, to target: String) throws {
        try check(name: target)
        let answer = SystemCall.repeated { renameat(descriptor, name, descriptor, target) }
        guard answer == 0 else { throw error("move \(path)/\(name) to", target) }
    }

    /// Renames within the folder atomically and only if the new name is free. Throws a ``FileError`` with code EEXIST if
    /// it is taken, and with EOPNOTSUPP where the volume does not support this.
    package func renameToFreeName(_ name: String, to target: String) throws {
        try check(name: target)
        var code = ExclusiveRename.code(of: name, in: descriptor, to: target, in: descriptor)
        if code == EINVAL || code == ENOSYS || code == ENOTSUP {
            // The file has two names for a moment; after a crash in between, the first name is removed later.
            code = SystemCall.repeated { linkat(descriptor, name, descriptor, target, 0) } == 0 ? 0 : errno
            if code == EPERM || code == ENOSYS || code == ENOTSUP { code = EOPNOTSUPP }
            if code == 0 { remove(name) }
        }
        guard code == 0 else { throw error("move \(path)/\(name) to", target, code: code) }
    }

    /// Removes a file that may be missing. What cannot be removed stays.
    package func remove(_ name: String) { unlinkat(descriptor, name, 0) }
}
