import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkSystem
import BackgroundWorkTransfers
import Dispatch

/// What a hand-off has to know of the disk before any byte moves: that the target can be written, what the source is,
/// and that the files which TLS needs can be read. Throws ``WorkerInputError`` with the field's name otherwise.
enum HandOffFiles {
    /// Each hand-off on its own thread, since inspecting a path may hang with its volume.
    private static let queue = DispatchQueue(label: "BackgroundWork.HandOffFiles", attributes: .concurrent)

    /// Makes the target's folder, and finds out whether the file could be put there.
    static func target(
        _ download: ValidatedTransfer, rules: FileRules, worker: String
    ) async throws -> HandOffTarget {
        try await onQueue {
            try checkReadable(download.options.tls, TransferInputRules(worker: worker))
            return try checkedTarget(download.path, under: rules, TransferInputRules(worker: worker))
        }
    }

    /// The file that is to be sent, as it is now.
    static func source(
        _ upload: ValidatedTransfer, rules: FileRules, worker: String
    ) async throws -> UploadSource {
        try await onQueue {
            try checkReadable(upload.options.tls, TransferInputRules(worker: worker))
            return try checkedSource(upload.path, under: rules, TransferInputRules(worker: worker))
        }
    }

    private static func checkedTarget(
        _ path: String, under files: FileRules, _ rules: TransferInputRules
    ) throws -> HandOffTarget {
        if let kind = SpecialFile.kind(at: path) {
            throw rules.refusal("savePath", "\(path) is \(kind), and a file would take its place; choose another path")
        }
        // Links not followed: the file takes the place of a link, not of what it leads to. Unless that is a folder.
        var taken: FileIdentity?
        var status = stat()
        let isFolder = path.hasSuffix("/") || (stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR)
        let folder = isFolder ? path : DurableFile.folder(of: path)
        do {
            let open = try files.openFolder(folder, creating: true)
            // Also finds a name that is longer than this file system allows.
            if !isFolder { taken = try open.identity(of: DurableFile.name(of: path)) }
        } catch let error as FileError {
            if error.isOutOfSpace || error.isTransient { throw error }
            throw rules.refusal("savePath", "a file cannot be put there. \(error)")
        } catch let error as RefusedPathError {
            throw rules.refusal("savePath", error.description)
        }
        guard access(folder, W_OK | X_OK) == 0 else {
            throw rules.refusal("savePath", "\(FileError(action: "write to the folder", path: folder, code: errno))")
        }
        let mountPoint = MountPoint(holding: folder)?.path
        if isFolder { return HandOffTarget(path: path.hasSuffix("/") ? path : path + "/", mountPoint: mountPoint) }
        return HandOffTarget(path: path, takenBytes: taken?.bytes, mountPoint: mountPoint)
    }

    private static func checkedSource(
        _ path: String, under files: FileRules, _ rules: TransferInputRules
    ) throws -> UploadSource {
        let descriptor: Int32
        do {
            descriptor = try files.openForReading(path)
        } catch let error as FileError {
            throw rules.refusal("filePath", "\(error)")
        } catch let error as RefusedPathError {
            throw rules.refusal("filePath", error.description)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw rules.refusal("filePath", "\(FileError(action: "inspect", path: path, code: errno))")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw rules.refusal("filePath", "\(path) is not a regular file; only those can be sent")
        }
        return UploadSource(path: path, status)
    }

    private static func checkReadable(_ tls: TLSOptions, _ rules: TransferInputRules) throws {
        for file in tls.files {
            guard access(file.path, R_OK) == 0 else {
                throw rules.refusal(file.field, "\(FileError(action: "read", path: file.path, code: errno))")
            }
            do { try FileRules.refuseOwnFile(at: file.path) } catch let error as RefusedPathError {
                throw rules.refusal(file.field, error.description)
            }
        }
    }

    private static func onQueue<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try patiently(body) }) }
        }
    }

    /// Tries again after an error that passes, for a twentieth of a second.
    private static func patiently<Value>(_ body: () throws -> Value) throws -> Value {
        for _ in 1..<5 {
            do { return try body() } catch let error as FileError where error.isTransient { usleep(10_000) }
        }
        return try body()
    }
}

/// Where a download is to go, as the disk shows it at hand-off.
struct HandOffTarget: Sendable, Hashable {
    /// Ends in `/` for a folder.
    var path: String
    /// The length of what stands there already; `nil` for a free name and for a folder.
    var takenBytes: Int64?
    /// Of the volume on which it lies; `nil` for the root's.
    var mountPoint: String?

    var isFolder: Bool { path.hasSuffix("/") }
}
