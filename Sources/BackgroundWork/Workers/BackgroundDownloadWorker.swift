import BackgroundWorkModel
import BackgroundWorkTransfers

/// Downloads a file in the background: it hands the transfer to the platform's daemon and returns. The request
/// finishes when the whole file is at its path, in whatever process that is.
///
/// ```swift
/// let film = DownloadConfiguration(url: "https://example.com/film.mp4", savePath: "/home/me/film.mp4")
/// try await scheduler.enqueue(TaskRequest(BackgroundDownloadWorker.self, input: film), id: "film")
/// ```
///
/// It is registered in every ``WorkerRegistry``. The daemon continues while the process is not running. The next step
/// of a chain gets a ``DownloadOutput``. Docs/downloads.md has the rules of the input and where the file goes.
public struct BackgroundDownloadWorker: Worker {
    /// What to fetch, where to put it, and how.
    public typealias Input = DownloadConfiguration
    /// Where the file is, and the server's response.
    public typealias Output = DownloadOutput

    /// The name that requests use.
    public static let name = "BackgroundDownloadWorker"
    /// The names of the ancestor's worker. Under them, a request that names no session belongs to the ancestor's
    /// session.
    public static let aliases = [
        "IosBackgroundDownloadWorker", "dev.brewkits.kmpworkmanager.workers.builtins.IosBackgroundDownloadWorker",
    ]
    /// All names that it is registered under.
    static let names = [name] + aliases
    /// The session that the ancestor's input means when it names none.
    private static let ancestorSession = "dev.brewkits.kmpworkmanager.background"

    /// The worker's name in the request, which selects the default session and labels errors.
    var requestedName: String
    var transfers: TransferHandOff

    /// Refuses a configuration that breaks a rule, with the field's name: what can be said without the disk.
    public static func validate(input: DownloadConfiguration, under policy: SecurityPolicy) throws {
        _ = try DownloadInputRules(worker: name, securityPolicy: policy).validated(input, defaultSession: name)
    }

    /// Hands the download to the daemon. The scheduler calls it.
    ///
    /// Throws ``WorkerInputError`` for a configuration that breaks a rule, and ``AgentUnavailableError`` when the
    /// daemon cannot be reached.
    public func doWork(_ input: DownloadConfiguration, context: WorkerContext) async throws -> WorkerResult {
        guard let key = context.handOffToken.key else {
            return .failure(message: "\(requestedName) was run without a work item, so nothing can be handed off")
        }
        let session = requestedName == Self.name ? transfers.sessionIdentifier : Self.ancestorSession
        let skipped = try await transfers.handOff(
            input, defaultSession: session, resumeToken: Self.token(for: input, in: context),
            key: key, workerName: requestedName)
        if let skipped {
            return .success(
                message: "skipped: \(skipped.savePath) already exists, so nothing was downloaded",
                outputJSON: try skipped.encoded())
        }
        return .handedOff(
            context.handOffToken, message: "handed off to \(input.sessionIdentifier ?? session)")
    }
}

extension BackgroundDownloadWorker {
    private static func token(for input: DownloadConfiguration, in context: WorkerContext) -> String? {
        let token = context.checkpoint.flatMap(ResumeToken.init(json:))
        return token?.url == input.url ? token?.text : nil
    }
}

/// The rules for a download's input, and the defaults of missing fields.
struct DownloadInputRules: Sendable {
    var worker: String
    /// The transfer's.
    var securityPolicy = SecurityPolicy.publicInternet

    /// Throws ``WorkerInputError`` with the field and the valid values.
    func validated(_ input: DownloadConfiguration, defaultSession: String) throws -> ValidatedTransfer {
        let rules = TransferInputRules(worker: worker, securityPolicy: securityPolicy)
        try rules.check(url: input.url, "url")
        for mirror in input.mirrors { try rules.check(url: mirror, "mirrors") }
        try rules.check(path: input.savePath, "savePath")
        if let complaint = input.fileMode?.complaint { throw rules.refusal("fileMode", complaint) }
        if let complaint = input.checksum?.complaint { throw rules.refusal("expectedChecksum", complaint) }
        if let bytes = input.maxBytes, bytes < 0 {
            throw rules.refusal("maxBytes", "it is \(bytes), but must be 0 or more bytes")
        }
        try check(input.connections, rules)
        try rules.check(input.options)
        return ValidatedTransfer(
            url: input.url, path: FileRules.normalized(input.savePath),
            sessionIdentifier: try rules.session(input.sessionIdentifier, default: defaultSession),
            options: input.options)
    }

    private func check(_ connections: ConnectionPlan, _ rules: TransferInputRules) throws {
        guard !ConnectionPlan.allowed.contains(connections.maximum) else { return }
        let field =
            switch connections {
            case .fixed: "numChunks"
            case .adaptive: "maxConnections"
            }
        throw rules.refusal(field, "it is \(connections.maximum), but must be from 1 to 16")
    }
}
