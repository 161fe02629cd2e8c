import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkTransfers
import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Hands transfers to the daemon in the order that a crash at any point forgives: reserve, entry, resume.
struct TransferHandOff: Sendable {
    var service: any TransferService
    var stateStore: TransferStateStore
    var store: String
    var sessionIdentifier: String
    var addressPolicy: AddressPolicy
    var clock: any WorkClock
    private static let queue = DispatchQueue(label: "BackgroundWork.TransferHandOff")

    /// When it returns, the transfer is under way with the daemon and will outlive this process.
    func handOff(_ download: ValidatedDownload, key: TransferKey, workerName: String) async throws {
        let reference = TransferReference(store: store, key: key)
        let task = try await service.reserve(
            TransferSpecification(
                reference: reference, sessionIdentifier: download.sessionIdentifier, url: download.url,
                headers: download.headers, stallTimeoutMs: download.stallTimeoutMs, addressPolicy: addressPolicy,
                savePath: download.savePath, workerName: workerName))
        try Task.checkCancellation()
        try await stateStore.put(
            TransferEntry(
                sessionIdentifier: download.sessionIdentifier, taskIdentifier: task, savePath: download.savePath,
                workerName: workerName, createdAt: WallTime(clock.now), reference: reference))
        try Task.checkCancellation()
        do {
            try await service.resume(reference)
        } catch let failure as AgentFailure where failure.code == .unknownTransfer {
            // Its outcome was taken in, or it was cancelled, since the reservation; nothing will remove the entry later.
            try await stateStore.remove(session: download.sessionIdentifier, task: task)
            throw failure
        }
    }

    /// Makes the target's folder, and finds out before any byte is fetched that the file could not be put there.
    func prepareTarget(_ path: String, worker: String) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            Self.queue.async { continuation.resume(with: Result { try Self.checkTarget(path, worker: worker) }) }
        }
    }

    private static func checkTarget(_ path: String, worker: String) throws {
        let folder = DurableFile.folder(of: path)
        do {
            try Folder.create(folder)
        } catch let error as FileError {
            if error.isOutOfSpace { throw error }
            throw WorkerInputError(worker: worker, reason: "the folder of \"savePath\" cannot be made. \(error)")
        }
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            throw WorkerInputError(worker: worker, reason: "\"savePath\" is \"\(path)\", where a folder stands")
        }
        guard access(folder, W_OK | X_OK) == 0 else {
            let error = FileError(action: "write to the folder", path: folder, code: errno)
            throw WorkerInputError(worker: worker, reason: "\(error)")
        }
    }
}
