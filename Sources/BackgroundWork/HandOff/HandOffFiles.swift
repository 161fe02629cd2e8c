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
    static func target(_ download: ValidatedTransfer, worker: String) async throws -> HandOffTarget {
        try await onQueue {
            try checkReadable(download.options.tls, TransferInputRules(worker: worker))
            return try checkedTarget(download.path, TransferInputRules(worker: worker))
        }
    }

    /// The file that is to be sent, as it is now.
    static func source(_ upload: ValidatedTransfer, worker: String) async throws -> UploadSource {
        try await onQueue {
            try checkReadable(upload.options.tls, TransferInputRules(worker: worker))
            return try checkedSource(upload.path, TransferInputRules(worker: worker))
        }
    }

    private static func checkedTarget(_ path: String, _ rules: TransferInputRules) throws -> HandOffTarget {
        if let kind = SpecialFile.kind(at: path) {
            throw rules.refusal("savePath", "\(path) is \(kind), and a file would take its place; choose another path")
        }
        // Links not followed: the file takes the place of a link, not of what it leads to. Unless that is a folder.
        let taken = FileIdentity(path: path)
        var status = stat()
        let isFolder =
            path.hasSuffix("/")
            || (taken != nil && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR)
        let folder = isFolder ? path : DurableFile.folder(of: path)
        do {
            try Folder.create(folder)
        } catch let error as FileError {
            if error.isOutOfSpace || error.isTransient { throw error }
            throw rules.refusal("savePath", "its folder cannot be made. \(error)")
        }
        guard access(folder, W_OK | X_OK) == 0 else {
            throw rules.refusal("savePath", "\(FileError(action: "write to the folder", path: folder, code: errno))")
        }
        let mountPoint = MountPoint(holding: folder)?.path
        if isFolder { return HandOffTarget(path: path.hasSuffix("/") ? path : path + "/", mountPoint: mountPoint) }
        return HandOffTarget(path: path, takenBytes: taken?.bytes, mountPoint: mountPoint)
    }

    private static func checkedSource(_ path: String, _ rules: TransferInputRules) throws -> UploadSource {
        // Without waiting: opening a pipe would wait for a process that writes to it.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw rules.refusal("filePath", "\(FileError(action: "read", path: path, code: errno))")
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
        for file in tls.files where access(file.path, R_OK) != 0 {
            throw rules.refusal(file.field, "\(FileError(action: "read", path: file.path, code: errno))")
        }
    }

    private static func onQueue<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: body)) }
        }
    }
}
