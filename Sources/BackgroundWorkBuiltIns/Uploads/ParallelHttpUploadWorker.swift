import BackgroundWorkHTTP
import BackgroundWorkModel
import BackgroundWorkTransfers
import Synchronization

/// Uploads several files, each with a request of its own, and succeeds when the server has accepted all of them.
///
/// ```swift
/// let photos = ParallelHttpUploadWorker.Input(
///     url: "https://example.com/photos", files: [.init(filePath: "/home/me/1.jpg"), .init(filePath: "/home/me/2.jpg")])
/// try await scheduler.enqueue(TaskRequest(ParallelHttpUploadWorker.self, input: photos), id: "photos")
/// ```
///
/// It is registered in every `WorkerRegistry`, and sends a file as ``HttpUploadWorker`` does. A file that the server has
/// accepted, or refused for good, is recorded in the work's checkpoint: an attempt after a retry, a stop or a crash sends
/// only the others. While files are left whose failure may pass, the work is retried; then, if any file was refused, it
/// fails, with the reasons. Docs/workers.md has the rules of the input.
public struct ParallelHttpUploadWorker: BuiltInWorker {
    /// The name that requests use.
    public static let name = "ParallelHttpUploadWorker"
    /// The ancestor's name for it.
    public static let aliases = [BuiltInWorkers.ancestorName(of: name)]

    private let services: BuiltInServices

    package init(_ services: BuiltInServices) { self.services = services }

    /// Refuses an input that breaks a rule, with the field's name: what can be said without the disk.
    public static func validate(input: Input, under policy: SecurityPolicy) throws {
        let rules = TransferInputRules(worker: name, securityPolicy: policy)
        try rules.check(url: input.url, "url")
        guard !input.files.isEmpty else { throw rules.refusal("files", "it is empty") }
        for (index, file) in input.files.enumerated() {
            try rules.check(source: file.filePath, "files.\(index).filePath")
            try rules.check(partName: file.fieldName, "files.\(index).fieldName")
            if let fileName = file.fileName { try rules.check(partName: fileName, "files.\(index).fileName") }
            try rules.check(mimeType: file.mimeType, "files.\(index).mimeType")
        }
        try rules.check(formFields: input.fields)
        try rules.check(input.maximumConcurrent, in: 1...16, "maxConcurrent")
        try rules.check(input.maximumRetries, in: 0...5, "maxRetries")
        try rules.check(input.options)
    }

    /// Sends the files that are left. The scheduler calls it.
    public func doWork(_ input: Input, context: WorkerContext) async throws -> WorkerResult {
        try Self.validate(input: input, under: services.securityPolicy)
        var record = UploadRecord(for: input, checkpoint: context.checkpoint)
        let left = input.files.indices.filter { !record.isDone($0) }
        let progress = UploadsProgress(files: input.files.count, left: left.count, report: context.report)
        let upload = FileUpload(
            input,
            WorkerRequests(for: input.url, input.options, fields: input.fields, timeout: .seconds(300), services),
            clock: services.clock)
        var passing: [TransferFailure] = []
        try await withThrowingTaskGroup(of: (Int, FileUpload.End).self) { group in
            var rest = left[...]
            func beginNext() {
                guard let index = rest.popFirst() else { return }
                let earlier = record.attempts(index)
                group.addTask {
                    (index, try await upload.run(index, earlierAttempts: earlier) { progress.update(index, $0) })
                }
            }
            for _ in 0..<input.maximumConcurrent { beginNext() }
            while let (index, end) = try await group.next() {
                record.set(end.entry, for: index)
                if let failure = end.passing { passing.append(failure) }
                // Before another file is begun: what the server has is not sent again.
                try await context.saveCheckpoint(record.json)
                progress.end(index)
                beginNext()
            }
        }
        return try Self.result(record, passing)
    }

    private static func result(_ record: UploadRecord, _ passing: [TransferFailure]) throws -> WorkerResult {
        let output = Output(record.results)
        if output.failedCount == 0 {
            return try .success(
                message: "uploaded \(output.uploadedCount) files, \(output.totalBytes) bytes", output: output)
        }
        let failed = output.fileResults.filter { !$0.isSuccess }
        var words = failed.prefix(mostReasons).map { "\($0.filePath.printable): \($0.error ?? "")" }
        if failed.count > mostReasons { words.append("and \(failed.count - mostReasons) more.") }
        let message =
            "\(output.failedCount) of \(output.fileResults.count) files were not uploaded. "
            + words.joined(separator: " ")
        guard var failure = passing.first else { return .failure(message: message) }
        failure.message = message
        failure.retryAfterMs = passing.compactMap(\.retryAfterMs).max()
        return failure.workerResult
    }

    /// So many failures are named in a message.
    private static let mostReasons = 5
}

/// How far the files of a parallel upload are, each counted alike.
final class UploadsProgress: Sendable {
    private struct State: Sendable {
        var ended: Int
        /// Of those that are being sent, from 0 to 1.
        var fractions: [Int: Double] = [:]
    }

    private let files: Int
    private let report: @Sendable (WorkerProgress) -> Void
    private let state: Mutex<State>

    /// - Parameter left: how many of the files are still to be sent.
    init(files: Int, left: Int, report: @escaping @Sendable (WorkerProgress) -> Void) {
        self.files = files
        self.report = report
        state = Mutex(State(ended: files - left))
    }

    func update(_ index: Int, _ progress: HTTPProgress) {
        change { $0.fractions[index] = progress.toSend.map { Double(progress.sent) / Double(max($0, 1)) } ?? 0 }
    }

    /// A file has been sent, or was given up for now.
    func end(_ index: Int) {
        change {
            $0.fractions[index] = nil
            $0.ended += 1
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let progress = state.withLock { state in
            body(&state)
            let done = Double(state.ended) + state.fractions.values.reduce(0, +)
            return WorkerProgress(fraction: done / Double(files), message: "\(state.ended) of \(files) files")
        }
        report(progress)
    }
}
