import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkTransfers
import Dispatch

/// The folder of the files that have arrived and wait to be taken, and of bodies that are sent.
///
/// It is on the volume of the scheduler's directory. Backups do not contain it: a system that is restored from one has
/// none of the tasks to which it belongs. The methods block.
struct StagingArea: Sendable {
    private let folder: String
    /// For what takes long: checksums and copies.
    static let slowQueue = DispatchQueue(label: "BackgroundWork.URLSessionFiles")

    /// Creates the folder when it is missing.
    ///
    /// - Parameter report: receives why backups could not be told to leave it out.
    init(folder: String, report: (String) -> Void) throws {
        self.folder = folder
        try Folder.create(folder, mode: 0o700)
        do {
            try FileAttributes.setExcludedFromBackup(true, folder: folder)
        } catch {
            report("\(folder) could not be excluded from backups: \(error.localizedDescription)")
        }
    }

    func file(of number: Int64) -> String { "\(folder)/\(number).part" }

    /// The body of a multipart upload. The same for each attempt.
    func body(of reference: TransferReference) -> String { "\(folder)/\(reference.digest).body" }

    /// Takes the file that a session has received. When it returns, name and content are on the disk.
    func take(_ received: String, as number: Int64) throws {
        let target = file(of: number)
        do {
            try DurableFile.renameOnly(received, to: target)
        } catch let error as FileError where error.isOtherVolume {
            try DurableFile.copy(received, to: target)
        }
        // The system's own file may be readable for others.
        try CreationMode.exactly(0o600).set(onFileAt: target)
        // It has come with the class that the system gave it. Where it keeps that one, the file cannot be opened while the
        // device is locked, and the next line says so if it is now.
        try? FileAttributes.allowBackgroundUse(ofFile: target)
        try DurableFile.synchronize(target)
        try Folder.synchronize(folder)
    }

    func remove(_ transfer: SessionTransfer) {
        DurableFile.remove(file(of: transfer.number))
        if transfer.specification.job.isUpload { removeBody(of: transfer.reference) }
    }

    func removeBody(of reference: TransferReference) { DurableFile.remove(body(of: reference)) }

    /// Writes the body of a multipart upload, unless an earlier attempt has, and returns what is to be sent.
    func multipart(_ job: UploadJob, of reference: TransferReference) async throws -> (file: String, type: String)? {
        guard case .multipart(let fieldName, let fileName, let mimeType, let fields) = job.form else { return nil }
        let form = MultipartForm(
            boundary: "BackgroundWork-\(reference.store)-\(reference.digest)", fieldName: fieldName,
            fileName: fileName ?? DurableFile.name(of: job.source.path), mimeType: mimeType, fields: fields)
        let target = body(of: reference)
        try await Self.slowly {
            // Complete under its name, or not there.
            if try FileIdentity.found(at: target) != nil { return }
            try DurableFile.copy(job.source.path, to: target + ".new", head: form.head, tail: form.tail)
            try DurableFile.rename(target + ".new", to: target)
        }
        return (target, form.contentType)
    }

    static func digest(_ algorithm: DigestAlgorithm, ofFileAt path: String) async throws -> String {
        try await slowly { try FileDigest.blocking(algorithm, ofFileAt: path) }
    }

    private static func slowly<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            slowQueue.async { continuation.resume(with: Result(catching: body)) }
        }
    }
}
