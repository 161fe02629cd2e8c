import BackgroundWorkModel
import BackgroundWorkTransfers

/// Uploads a file in the background: it hands the transfer to the platform's daemon and returns. The request finishes
/// when the server has taken the whole file.
///
/// Its input is an ``UploadConfiguration``; Docs/uploads.md has the fields and the output. The file stays where it is,
/// and must stay as it is.
struct BackgroundUploadWorker: Sendable {
    static let name = "BackgroundUploadWorker"

    var transfers: TransferHandOff

    func doWork(_ input: UploadConfiguration, context: WorkerContext) async throws -> WorkerResult {
        guard let key = context.handOffToken.key else {
            return .failure(message: "\(Self.name) was run without a work item, so nothing can be handed off")
        }
        try await transfers.handOff(input, key: key, workerName: Self.name)
        return .handedOff(
            context.handOffToken, message: "handed off to \(input.sessionIdentifier ?? transfers.sessionIdentifier)")
    }
}
