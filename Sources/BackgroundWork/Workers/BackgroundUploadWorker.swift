import BackgroundWorkModel
import BackgroundWorkTransfers

/// Uploads a file in the background: it hands the transfer to the platform's daemon and returns. The request finishes
/// when the server has accepted the whole file.
///
/// ```swift
/// let photo = UploadConfiguration(url: "https://example.com/photos/1", filePath: "/home/me/photo.jpg")
/// try await scheduler.enqueue(TaskRequest(BackgroundUploadWorker.self, input: photo), id: "photo")
/// ```
///
/// It is registered in every ``WorkerRegistry``. The file is read from its path and must not change meanwhile. The
/// next step of a chain gets an ``UploadOutput``. Docs/uploads.md has the rules of the input.
public struct BackgroundUploadWorker: Worker {
    /// What to send, where to, and how.
    public typealias Input = UploadConfiguration
    /// What was sent, and the server's response.
    public typealias Output = UploadOutput

    /// The name that requests use.
    public static let name = "BackgroundUploadWorker"

    var transfers: TransferHandOff

    /// Refuses a configuration that breaks a rule, with the field's name: what can be said without the disk.
    public static func validate(input: UploadConfiguration, under policy: SecurityPolicy) throws {
        _ = try UploadInputRules(worker: name, securityPolicy: policy).validated(input, defaultSession: name)
    }

    /// Hands the upload to the daemon. The scheduler calls it.
    ///
    /// Throws ``WorkerInputError`` for a configuration that breaks a rule, and ``AgentUnavailableError`` when the
    /// daemon cannot be reached.
    public func doWork(_ input: UploadConfiguration, context: WorkerContext) async throws -> WorkerResult {
        guard let key = context.handOffToken.key else {
            return .failure(message: "\(Self.name) was run without a work item, so nothing can be handed off")
        }
        try await transfers.handOff(input, key: key, workerName: Self.name)
        return .handedOff(
            context.handOffToken, message: "handed off to \(input.sessionIdentifier ?? transfers.sessionIdentifier)")
    }
}

/// The rules for an upload's input, and the defaults of missing fields.
struct UploadInputRules: Sendable {
    var worker: String
    /// The transfer's.
    var securityPolicy = SecurityPolicy.publicInternet
    private static let methods = ["PUT", "POST", "PATCH"]

    /// Throws ``WorkerInputError`` with the field and the valid values.
    func validated(_ input: UploadConfiguration, defaultSession: String) throws -> ValidatedTransfer {
        let rules = TransferInputRules(worker: worker, securityPolicy: securityPolicy)
        try rules.check(url: input.url, "url")
        try rules.check(source: input.filePath, "filePath")
        guard Self.methods.contains(input.method) else {
            throw rules.refusal("method", "it is \"\(input.method.prefix(40))\", but must be PUT, POST or PATCH")
        }
        try check(input.form, rules)
        try rules.check(input.options)
        return ValidatedTransfer(
            url: input.url, path: FileRules.normalized(input.filePath),
            sessionIdentifier: try rules.session(input.sessionIdentifier, default: defaultSession),
            options: input.options)
    }

    private func check(_ form: UploadForm, _ rules: TransferInputRules) throws {
        switch form {
        case .body(let mimeType): try rules.check(mimeType: mimeType)
        case .multipart(let fieldName, let fileName, let mimeType, let fields):
            try rules.check(partName: fieldName, "fileFieldName")
            if let fileName { try rules.check(partName: fileName, "fileName") }
            try rules.check(mimeType: mimeType)
            try rules.check(formFields: fields)
        case .tus(let metadata):
            // "The key MUST NOT contain spaces and commas and MUST NOT be empty", and is ASCII (tus 1.0, Creation).
            for key in metadata.keys {
                let isKey = !key.isEmpty && key.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: ",") }
                guard isKey else { throw rules.refusal("metadata", "\"\(key)\" is not a valid tus metadata key") }
            }
        }
    }
}
