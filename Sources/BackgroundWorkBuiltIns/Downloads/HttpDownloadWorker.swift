import BackgroundWorkModel
import BackgroundWorkTransfers

/// Downloads a file in the scheduler's own process: the request finishes when the whole file is at its path.
///
/// ```swift
/// var report = HttpDownloadWorker.Input(url: "https://example.com/report.pdf", savePath: "/home/me/report.pdf")
/// report.maxBytes = 50_000_000
/// try await scheduler.enqueue(TaskRequest(HttpDownloadWorker.self, input: report), id: "report")
/// ```
///
/// It is registered in every `WorkerRegistry`. While the process is not running nothing is transferred; the next attempt
/// goes on where the last one has stopped. For files that are to arrive without the process, see
/// `BackgroundDownloadWorker`. The next step of a chain gets a ``DownloadOutput``. Docs/workers.md has the rules.
public struct HttpDownloadWorker: BuiltInWorker {
    /// Where the file is, and the server's response.
    public typealias Output = DownloadOutput

    /// The name that requests use.
    public static let name = "HttpDownloadWorker"
    /// The ancestor's name for it.
    public static let aliases = [BuiltInWorkers.ancestorName(of: name)]
    private static let timeout = Duration.seconds(300)

    private let services: BuiltInServices

    package init(_ services: BuiltInServices) { self.services = services }

    /// Refuses an input that breaks a rule, with the field's name: what can be said without the disk.
    public static func validate(input: Input, under policy: SecurityPolicy) throws {
        _ = try plan(of: input, under: policy)
    }

    /// Downloads the file, or what is missing of it. The scheduler calls it.
    ///
    /// Throws ``WorkerInputError`` for an input that breaks a rule.
    public func doWork(_ input: Input, context: WorkerContext) async throws -> WorkerResult {
        try await services.download(Self.plan(of: input, under: services.securityPolicy), context: context)
    }

    private static func plan(of input: Input, under policy: SecurityPolicy) throws -> DownloadPlan {
        let rules = TransferInputRules(worker: name, securityPolicy: policy)
        let path = try rules.checkedPath(
            url: input.url, savePath: input.savePath, checksum: input.checksum, fileMode: input.fileMode, input.options)
        if let bytes = input.maxBytes, bytes < 0 {
            throw rules.refusal("maxBytes", "it is \(bytes), but must be 0 or more bytes")
        }
        return DownloadPlan(
            url: input.url, path: path, options: input.options, timeout: timeout, checksum: input.checksum,
            maxBytes: input.maxBytes, fileMode: input.fileMode, onDuplicate: input.onDuplicate,
            isResumable: input.isResumable)
    }
}

extension BuiltInServices {
    /// Runs a download.
    func download(_ plan: DownloadPlan, context: WorkerContext) async throws -> WorkerResult {
        guard let partialFiles, let key = context.handOffToken.key else {
            return .failure(message: "A download was run without a scheduler, so it has nowhere to keep its state.")
        }
        let (source, boot) = try await partialFiles.fingerprints(of: plan.url)
        return try await DownloadRun(
            plan, context: context, key: key, services: self, files: partialFiles, source: source, boot: boot
        ).result()
    }
}
