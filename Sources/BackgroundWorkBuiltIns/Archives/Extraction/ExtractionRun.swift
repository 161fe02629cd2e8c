import BackgroundWorkArchive
import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkSystem
import BackgroundWorkTransfers

/// An archive's whole content in a temporary folder, which may not have its name yet.
struct ExtractedArchive: Sendable, Hashable, Codable {
    /// What it was made for: a checkpoint of another input does not count.
    var input: FileExtractionConfiguration
    /// The temporary folder's.
    var inode: UInt64
    /// Whether there was no folder at the target, so the temporary one becomes it.
    var isNew: Bool
    /// The archive's, as it was read.
    var archive: OriginalStamp
    var output: FileExtractionOutput
}

/// One extraction, in two parts: everything is extracted to a temporary folder; then that gets its name, or what is in it
/// is moved, and the archive is deleted. What is needed for the second part is stored in between, so a later process can
/// continue there.
struct ExtractionRun: Sendable {
    let input: FileExtractionConfiguration
    let policy: SecurityPolicy
    let workID: String
    let report: @Sendable (WorkerProgress) -> Void

    private var rules: FileRules { FileRules(policy) }
    private var inputPath: String { FileRules.normalized(input.inputPath) }
    private var outputPath: String { DurableFile.withoutTrailingSlashes(FileRules.normalized(input.outputPath)) }
    private var outputName: String { DurableFile.name(of: outputPath) }

    /// What it may leave when its process dies.
    var temporaryPaths: [String] {
        [
            DurableFile.folder(of: outputPath) + "/" + temporaryName(isNew: true),
            outputPath + "/" + temporaryName(isNew: false),
        ]
    }

    // MARK: Extracting

    /// Extracts everything durably to a temporary folder. On an error nothing is left.
    func make(_ flag: CancellationFlag) throws -> ExtractedArchive {
        let existing = try self.existing()
        let above = try? above(creating: false)
        // Also where a temporary of this work may be from a time when the target was not there, or was.
        if let above { try ExtractionFolder.removeAbandoned(temporaryName(isNew: true), in: above) }
        if let existing { try ExtractionFolder.removeAbandoned(temporaryName(isNew: false), in: existing) }
        let source = try ArchiveSource(inputPath, rules)
        var content = ArchiveContent(source.reader, input.links, flag)
        let totals = try content.validate(limits)
        let place = try existing ?? self.above(creating: true)
        try checkSpace(totals.bytes, place)
        let folder = try ExtractionFolder(creating: temporaryName(isNew: existing == nil), in: place)
        do {
            let builder = try TreeBuilder(root: folder.descriptor, path: outputPath)
            var progress = ByteProgress("extracted", total: totals.bytes, report: report)
            try content.create(in: builder, &progress)
            if existing != nil {
                try TreeMerge(from: folder.descriptor, to: place.descriptor, path: outputPath, input.onDuplicate)
                    .check()
            } else if fchmod(folder.descriptor, builder.newFolderMode) != 0 {
                throw FileError(action: "set the permissions of", path: outputPath, code: errno)
            }
            try flag.check()
            try TreeFlush.flush(volumeOf: folder.descriptor, path: outputPath)
            try flag.check()
            guard let inode = folder.inode else { throw FileError.missing(outputPath) }
            let output = FileExtractionOutput(
                folderPath: outputPath, entries: Int(totals.entries), bytesIn: Int64(source.status.st_size),
                bytesOut: Int64(totals.bytes), skippedLinks: content.skippedLinks)
            return ExtractedArchive(
                input: input, inode: inode, isNew: existing == nil, archive: OriginalStamp(source.status),
                output: output)
        } catch {
            try? folder.remove()
            throw error
        }
    }

    private var limits: ExtractionLimits {
        ExtractionLimits(
            bytes: input.maxBytes.map { UInt64(max(0, $0)) }, entries: UInt64(max(0, input.maxEntries)),
            ratio: UInt64(max(1, input.maxRatio)))
    }

    private func temporaryName(isNew: Bool) -> String {
        WorkTemporaryNames(target: isNew ? outputName : "", workID: workID).main
    }

    /// The folder at the target; `nil` if there is none.
    private func existing() throws -> TargetFolder? {
        do { return try rules.openFolder(outputPath, creating: false) } catch let error as FileError
            where error.code == ENOENT
        {
            return nil
        }
    }

    private func above(creating: Bool) throws -> TargetFolder {
        try rules.openFolder(DurableFile.folder(of: outputPath), creating: creating)
    }

    /// Throws ``FileError`` with ENOSPC when the content cannot fit.
    private func checkSpace(_ bytes: UInt64, _ place: TargetFolder) throws {
        var volume = statvfs()
        // What cannot be asked is found out by writing.
        guard fstatvfs(place.descriptor, &volume) == 0, volume.f_blocks > 0 else { return }
        let free = UInt64(volume.f_bavail).multipliedReportingOverflow(by: UInt64(volume.f_frsize))
        if !free.overflow, bytes > free.partialValue {
            throw FileError(action: "extract \(bytes) bytes to", path: outputPath, code: ENOSPC)
        }
    }

    // MARK: Completing it

    /// Puts the content in its place durably and deletes the archive, as far as that has not been done; `nil` when all has
    /// to be extracted again.
    func complete(_ extracted: ExtractedArchive) throws -> FileExtractionOutput? {
        var output = extracted.output
        guard try extracted.isNew ? place(extracted) : merge(extracted, &output) else { return nil }
        if input.deleteOriginal { output.kept = try deleteArchive(extracted.archive) ? 0 : 1 }
        return output
    }

    /// Whether the new folder has its name; false also if something else has got the name meanwhile, which exists then.
    private func place(_ extracted: ExtractedArchive) throws -> Bool {
        let above: TargetFolder
        do { above = try self.above(creating: false) } catch let error as FileError where error.code == ENOENT {
            return false
        }
        let name = temporaryName(isNew: true)
        if let folder = try ExtractionFolder(existing: name, in: above), folder.inode == extracted.inode {
            let code = FreeName.move(
                Array(name.utf8), in: above.descriptor, to: Array(outputName.utf8), in: above.descriptor)
            guard code == 0 else {
                try folder.remove()
                if code == EEXIST { return false }
                throw FileError(action: "create the folder", path: outputPath, code: code)
            }
        } else if try above.identity(of: outputName)?.inode != extracted.inode {
            return false
        }
        // An earlier process may have died between the two.
        try above.synchronize()
        return true
    }

    /// Whether all is in the folder that was there before.
    private func merge(_ extracted: ExtractedArchive, _ output: inout FileExtractionOutput) throws -> Bool {
        guard let target = try existing() else { return false }
        // The temporary folder is removed after all is moved.
        guard let folder = try ExtractionFolder(existing: temporaryName(isNew: false), in: target) else { return true }
        guard folder.inode == extracted.inode else { return false }
        do {
            let merge = try TreeMerge(
                from: folder.descriptor, to: target.descriptor, path: outputPath, input.onDuplicate)
            try merge.run()
            output.skipped = merge.skipped
            try TreeFlush.flush(volumeOf: folder.descriptor, path: outputPath)
        } catch let error as FileError where error.isTransient || error.isOutOfSpace {
            // The next attempt goes on with it.
            throw error
        } catch {
            try? folder.remove()
            throw error
        }
        try folder.remove()
        return true
    }

    /// Whether the archive is gone; false if it is not the one that was read.
    private func deleteArchive(_ stamp: OriginalStamp) throws -> Bool {
        let path = DurableFile.folder(of: inputPath)
        let name = Array(DurableFile.name(of: inputPath).utf8)
        let folder: TargetFolder
        do { folder = try rules.openFolder(path, creating: false) } catch let error as FileError
            where error.code == ENOENT
        {
            return true
        }
        guard let now = try OriginalStamp.found(name, in: folder.descriptor, path: inputPath) else { return true }
        guard now.isStill(stamp) else { return false }
        folder.remove(DurableFile.name(of: inputPath))
        return try folder.identity(of: DurableFile.name(of: inputPath)) == nil
    }
}

/// The archive that is to be extracted, open.
final class ArchiveSource {
    let descriptor: Int32
    let status: stat
    let reader: ZipReader

    init(_ path: String, _ rules: FileRules) throws {
        descriptor = try rules.openForReading(path)
        var status = stat()
        let answer = fstat(descriptor, &status)
        self.status = status
        do {
            guard answer == 0 else { throw FileError(action: "inspect", path: path, code: errno) }
            guard status.st_mode & S_IFMT == S_IFREG else { throw ArchiveError.refused("\(path) is not a file") }
            reader = try ZipReader(descriptor: descriptor, path: path)
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit { close(descriptor) }
}
