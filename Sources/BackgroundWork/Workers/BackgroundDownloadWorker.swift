import BackgroundWorkModel

/// Downloads a file in the background: it hands the transfer to the platform's daemon and returns. The request
/// finishes when the whole file stands at `savePath`, in whatever process that is.
///
/// The daemon goes on while the process is away. `savePath` is absolute; missing folders are made; a file that stands
/// there is replaced in one rename once the new one is complete. The output is a JSON object with `savePath`, `bytes`,
/// `statusCode` and `url` (query left out).
struct BackgroundDownloadWorker: Sendable {
    static let name = "BackgroundDownloadWorker"
    static let aliases = ["IosBackgroundDownloadWorker"]
    /// What the ancestor's input means when it names no session.
    private static let ancestorSession = "dev.brewkits.kmpworkmanager.background"

    /// The name of the request, by which the default session is chosen and errors are labelled.
    var requestedName: String
    var transfers: TransferHandOff

    func doWork(_ input: Input, context: WorkerContext) async throws -> WorkerResult {
        guard let key = context.handOffToken.key else {
            return .failure(message: "\(requestedName) was run without a work item, so nothing can be handed off")
        }
        let rules = DownloadInputRules(worker: requestedName)
        let download = try rules.validated(
            input, defaultSession: requestedName == Self.name ? transfers.sessionIdentifier : Self.ancestorSession)
        try await transfers.prepareTarget(download.savePath, worker: requestedName)
        try await transfers.handOff(download, key: key, workerName: requestedName)
        return .handedOff(context.handOffToken, message: "handed off to \(download.sessionIdentifier)")
    }
}
