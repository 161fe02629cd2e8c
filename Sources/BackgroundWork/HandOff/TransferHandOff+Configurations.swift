import BackgroundWorkModel
import BackgroundWorkTransfers

extension TransferHandOff {
    /// Hands a download to the daemon once its input and its target have been checked.
    ///
    /// Returns `nil` when it has been handed off, and the output when a file stands at its target that is to stay.
    /// Throws ``WorkerInputError`` with the field's name for what can never succeed.
    ///
    /// - Parameter resumeToken: where an earlier transfer of this download has stopped.
    func handOff(
        _ input: DownloadConfiguration, defaultSession: String, resumeToken: String? = nil, key: TransferKey,
        workerName: String
    ) async throws -> DownloadOutput? {
        let download = try DownloadInputRules(worker: workerName, securityPolicy: securityPolicy)
            .validated(input.moved(by: folders), defaultSession: defaultSession)
        let place = try await HandOffFiles.target(
            download, rules: FileRules(securityPolicy), worker: workerName)
        // What was handed off by a process that has died since comes to its end, and is skipped there.
        if input.onDuplicate == .skip, let bytes = place.takenBytes, try await !hasBegun(key) {
            var output = DownloadOutput(savePath: download.path, bytes: bytes)
            output.skipped = true
            return output
        }
        var job = DownloadJob()
        job.checksum = input.checksum
        job.onDuplicate = input.onDuplicate
        job.maxBytes = input.maxBytes
        job.isResumable = input.isResumable
        job.mirrors = input.mirrors
        job.connections = input.connections
        job.resumeToken = input.isResumable ? resumeToken : nil
        job.fileMode = input.fileMode
        job.savesIntoFolder = place.isFolder
        job.mountPoint = place.mountPoint
        try await handOff(download, to: place.path, job: .download(job), key: key, workerName: workerName)
        return nil
    }

    /// Hands an upload to the daemon once its input and its file have been checked. Throws as the other one does.
    func handOff(_ input: UploadConfiguration, key: TransferKey, workerName: String) async throws {
        let upload = try UploadInputRules(worker: workerName, securityPolicy: securityPolicy)
            .validated(input.moved(by: folders), defaultSession: sessionIdentifier)
        let source = try await HandOffFiles.source(upload, rules: FileRules(securityPolicy), worker: workerName)
        let job = UploadJob(method: input.method, form: input.form, source: source)
        try await handOff(upload, to: upload.path, job: .upload(job), key: key, workerName: workerName)
    }
}
