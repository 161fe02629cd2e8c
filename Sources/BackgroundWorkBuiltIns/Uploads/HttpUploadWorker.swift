import BackgroundWorkFoundation
import BackgroundWorkHTTP
import BackgroundWorkModel
import BackgroundWorkTransfers

/// Uploads a file as a part of a `multipart/form-data` body with `POST`, in constant memory, and succeeds when the server
/// answers with a status of 2xx.
///
/// ```swift
/// let photo = HttpUploadWorker.Input(url: "https://example.com/photos", filePath: "/home/me/photo.jpg")
/// try await scheduler.enqueue(TaskRequest(HttpUploadWorker.self, input: photo), id: "photo")
/// ```
///
/// It is registered in every `WorkerRegistry`, runs in the scheduler's own process, and starts over when it was
/// interrupted; `BackgroundUploadWorker` goes on without the process. It retries and fails as ``HttpRequestWorker`` does; a
/// file that changes while it is sent is a failure. Docs/workers.md has the rules of the input.
public struct HttpUploadWorker: BuiltInWorker {
    /// What was sent, and the server's response.
    public typealias Output = UploadOutput

    /// The name that requests use.
    public static let name = "HttpUploadWorker"
    /// The ancestor's name for it.
    public static let aliases = [BuiltInWorkers.ancestorName(of: name)]

    private let services: BuiltInServices

    package init(_ services: BuiltInServices) { self.services = services }

    /// Refuses an input that breaks a rule, with the field's name: what can be said without the disk.
    public static func validate(input: Input, under policy: SecurityPolicy) throws {
        let rules = TransferInputRules(worker: name, securityPolicy: policy)
        try rules.check(url: input.url, "url")
        try rules.check(source: input.filePath, "filePath")
        try rules.check(partName: input.fileFieldName, "fileFieldName")
        if let fileName = input.fileName { try rules.check(partName: fileName, "fileName") }
        try rules.check(mimeType: input.mimeType)
        try rules.check(formFields: input.fields)
        try rules.check(input.options)
    }

    /// Sends the file. The scheduler calls it.
    public func doWork(_ input: Input, context: WorkerContext) async throws -> WorkerResult {
        try Self.validate(input: input, under: services.securityPolicy)
        let requests = WorkerRequests(
            for: input.url, input.options, fields: input.fields, timeout: .seconds(120), services)
        let form = HTTPForm(
            filePath: FileRules.normalized(input.filePath), fieldName: input.fileFieldName, fileName: input.fileName,
            mimeType: input.mimeType, fields: input.fields)
        let start = services.clock.uptime
        do {
            let sent = try await requests.upload(form, to: input.url) { context.report(WorkerProgress($0)) }
            var details = TransferDetails()
            details.headers = sent.head.headers.kept
            details.responseBody = sent.body
            details.durationMs = (services.clock.uptime - start).milliseconds
            var output = UploadOutput(
                filePath: input.filePath, bytes: sent.bytes, statusCode: sent.head.status, finalURL: sent.head.url,
                details: requests.secrets.hidden(in: details))
            output.requests = nil
            return try .success(message: "uploaded \(input.filePath.printable): \(sent.head.status)", output: output)
        } catch let failure as TransferFailure {
            return failure.workerResult
        }
    }
}

extension HTTPHeaders {
    /// Those that are kept of a response to an upload or a download, names in lower case.
    var kept: [String: String] {
        var kept: [String: String] = [:]
        for name in ResponseHeaderNames.kept {
            if let value = self[name], value.utf8.count <= ResponseHeaderNames.longestValue { kept[name] = value }
        }
        return kept
    }
}
