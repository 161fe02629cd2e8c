import BackgroundWorkArchive
import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkSystem
import BackgroundWorkTransfers

/// A complete archive that may not have its name yet, and whose originals may not be deleted yet.
struct CompressedArchive: Sendable, Hashable, Codable {
    /// What it was made for: a checkpoint of another input does not count.
    var input: FileCompressionConfiguration
    /// The archive's file.
    var identity: FileIdentity
    var output: FileCompressionOutput
}

/// One compression, in two parts: the archive is made; then it gets its name and the originals are deleted. What is needed
/// for the second part is stored in between, so a later process can continue there.
struct CompressionRun: Sendable {
    let input: FileCompressionConfiguration
    let policy: SecurityPolicy
    let workID: String
    let report: @Sendable (WorkerProgress) -> Void

    private var rules: FileRules { FileRules(policy) }
    private var inputPath: String { DurableFile.withoutTrailingSlashes(FileRules.normalized(input.inputPath)) }
    private var outputPath: String { FileRules.normalized(input.outputPath) }
    private var outputName: String { DurableFile.name(of: outputPath) }
    private var names: WorkTemporaryNames { WorkTemporaryNames(target: outputName, workID: workID) }

    /// What it may leave when its process dies.
    var temporaryPaths: [String] {
        [names.main, names.originals, names.directory].map { DurableFile.folder(of: outputPath) + "/" + $0 }
    }

    // MARK: Making the archive

    /// Makes a durable archive under a temporary name. On an error nothing is left.
    func make(_ flag: CancellationFlag) throws -> CompressedArchive {
        let folder = try outputFolder(creating: true)
        // Before the input is looked at: it may be gone, and what is left has to go nevertheless.
        for name in [names.main, names.originals, names.directory] {
            try WorkTemporary.removeAbandoned(name, in: folder)
        }
        let source = try CompressionInput(inputPath, rules)
        try checkTarget(folder)
        let archive = try WorkTemporary(names.main, in: folder)
        var list: OriginalsListWriter?
        do {
            if input.deleteOriginal {
                let file = try WorkTemporary(names.originals, in: folder)
                list = OriginalsListWriter(file, path: folder.path + "/" + names.originals)
            }
            return try write(source, to: archive, list, folder, flag)
        } catch {
            archive.remove()
            list?.remove()
            throw error
        }
    }

    private func write(
        _ source: CompressionInput, to archive: WorkTemporary, _ list: OriginalsListWriter?, _ folder: TargetFolder,
        _ flag: CancellationFlag
    ) throws -> CompressedArchive {
        let writer = try ZipWriter(
            descriptor: archive.descriptor, path: outputPath, level: input.compressionLevel.zlibLevel
        ) { [names] in
            try Self.nameless(names.directory, in: folder)
        }
        let content = FolderContent(
            source, Exclusions(input.excludePatterns), leavingOut: try ownFiles(archive, folder))
        let total = source.isFolder ? try content.totalBytes(flag) : UInt64(max(0, source.status.st_size))
        let adder = EntryAdder(writer, list, ByteProgress("compressed", total: total, report: report), flag)
        if source.isFolder {
            try content.add(to: adder, flag)
        } else {
            try adder.addFile(name: source.name, source.descriptor, source.status, path: inputPath)
        }
        let bytes = try writer.finish(checkingIn: flag.check)
        try list?.finish()
        try archive.synchronize()
        try flag.check()
        guard let identity = archive.identity else { throw FileError(action: "inspect", path: outputPath, code: errno) }
        let output = FileCompressionOutput(
            filePath: outputPath, entries: Int(writer.entries), bytesIn: Int64(adder.progress.bytes),
            bytesOut: Int64(bytes), excluded: content.counts.excluded, skipped: content.counts.skipped,
            vanished: content.counts.vanished)
        return CompressedArchive(input: input, identity: identity, output: output)
    }

    /// The archive and its directory, and the one that it replaces: an archive does not contain itself.
    private func ownFiles(_ archive: WorkTemporary, _ folder: TargetFolder) throws -> [FileIdentity] {
        try [archive.identity, folder.identity(of: outputName), folder.identity(of: names.originals)].compactMap { $0 }
    }

    /// A file without a name, which is gone with its descriptor.
    private static func nameless(_ name: String, in folder: TargetFolder) throws -> Int32 {
        if let file = folder.createUnnamed() { return file }
        folder.remove(name)
        let file = try folder.open(name, O_RDWR | O_CREAT | O_EXCL)
        folder.remove(name)
        return file
    }

    private func outputFolder(creating: Bool) throws -> TargetFolder {
        try rules.openFolder(DurableFile.folder(of: outputPath), creating: creating)
    }

    /// A file at the target is replaced; anything else is not.
    private func checkTarget(_ folder: TargetFolder) throws {
        try folder.refuseSpecialFile(at: outputName)
        if try folder.hasFolder(outputName) {
            throw FileError(action: "replace the folder by an archive:", path: outputPath, code: EISDIR)
        }
    }

    // MARK: Completing it

    /// Gives the archive its name durably and deletes the originals, as far as that has not been done; `nil` when the
    /// archive has to be made again.
    ///
    /// Throws ``LostArchiveError`` when it is gone after originals may have been deleted.
    func complete(_ archive: CompressedArchive) throws -> FileCompressionOutput? {
        let folder: TargetFolder
        do { folder = try outputFolder(creating: false) } catch let error as FileError where error.code == ENOENT {
            return nil
        }
        guard try place(archive, folder) else {
            return try withoutArchive(archive, folder)
        }
        var output = archive.output
        if input.deleteOriginal { output.kept = try deleteOriginals(folder) }
        return output
    }

    /// Whether the archive has its name.
    private func place(_ archive: CompressedArchive, _ folder: TargetFolder) throws -> Bool {
        if let temporary = try folder.identity(of: names.main), temporary.isStill(archive.identity) {
            do {
                try checkTarget(folder)
                try folder.rename(names.main, to: outputName)
            } catch {
                folder.remove(names.main)
                folder.remove(names.originals)
                throw error
            }
        } else if try folder.identity(of: outputName)?.isStill(archive.identity) != true {
            return false
        }
        // An earlier process may have died between the two.
        try folder.synchronize()
        return true
    }

    private func withoutArchive(_ archive: CompressedArchive, _ folder: TargetFolder) throws -> FileCompressionOutput? {
        guard input.deleteOriginal else { return nil }
        let hasList = try folder.identity(of: names.originals) != nil
        folder.remove(names.originals)
        if hasList { throw LostArchiveError(path: outputPath) }
        // All was done, unless it was never begun and the input is still there.
        return try FileIdentity.found(at: inputPath) == nil ? archive.output : nil
    }

    private func deleteOriginals(_ folder: TargetFolder) throws -> Int {
        let path = folder.path + "/" + names.originals
        let list = SystemCall.repeated {
            openat(folder.descriptor, names.originals, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        }
        guard list >= 0 else {
            // An earlier run has deleted them all, and its result was not stored.
            if errno == ENOENT { return 0 }
            throw FileError(action: "read", path: path, code: errno)
        }
        defer { close(list) }
        guard flock(list, LOCK_EX | LOCK_NB) == 0 else { throw WorkInProgressError() }
        var reader = try OriginalsListReader(descriptor: list, path: path)
        let kept: Int
        do {
            kept = try OriginalsDeletion.run(
                &reader, in: rules.openFolder(DurableFile.folder(of: inputPath), creating: false))
        } catch let error as FileError where error.code == ENOENT {
            kept = 0
        }
        folder.remove(names.originals)
        return kept
    }
}

/// The archive has been moved away or replaced after its originals were deleted, or some of them.
struct LostArchiveError: Error, CustomStringConvertible {
    var path: String

    var description: String {
        "The archive was complete, but \(path) is no longer that file. Some of the originals may have been deleted already, "
            + "so no new archive was made. Look for the moved archive; to compress what is left, enqueue the request again."
    }
}
