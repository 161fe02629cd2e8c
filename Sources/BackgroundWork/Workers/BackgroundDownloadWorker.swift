import BackgroundWorkModel
import BackgroundWorkTransfers

/// Downloads a file in the background: it hands the transfer to the platform's daemon and returns. The request
/// finishes when the whole file stands at its place, in whatever process that is.
///
/// The daemon goes on while the process is away. Its input is a ``DownloadConfiguration``; Docs/downloads.md has the
/// fields and the output.
struct BackgroundDownloadWorker: Sendable {
    static let name = "BackgroundDownloadWorker"
    static let aliases = ["IosBackgroundDownloadWorker"]
    /// What the ancestor's input means when it names no session.
    private static let ancestorSession = "dev.brewkits.kmpworkmanager.background"

    /// The name of the request, by which the default session is chosen and errors are labelled.
    var requestedName: String
    var transfers: TransferHandOff

    func doWork(_ input: DownloadConfiguration, context: WorkerContext) async throws -> WorkerResult {
        guard let key = context.handOffToken.key else {
            return .failure(message: "\(requestedName) was run without a work item, so nothing can be handed off")
        }
        let session = requestedName == Self.name ? transfers.sessionIdentifier : Self.ancestorSession
        let skipped = try await transfers.handOff(input, defaultSession: session, key: key, workerName: requestedName)
        if let skipped {
            return .success(
                message: "skipped: a file stands at \(skipped.savePath), and nothing was fetched",
                outputJSON: try skipped.encoded())
        }
        return .handedOff(
            context.handOffToken, message: "handed off to \(input.sessionIdentifier ?? session)")
    }
}
