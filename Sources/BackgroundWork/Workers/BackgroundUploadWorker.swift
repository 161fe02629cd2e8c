import BackgroundWorkModel
import BackgroundWorkTransfers

/// Uploads a file in the background: it hands the transfer to the platform's daemon and returns. The request finishes
/// when the server has taken the whole file.
///
/// ```swift
/// let photo = UploadConfiguration(url: "https://example.com/photos/1", filePath: "/home/me/photo.jpg")
/// try await scheduler.enqueue(TaskRequest(BackgroundUploadWorker.self, input: photo), id: "photo")
/// ```
///
/// It is registered in every ``WorkerRegistry``. The file stays where it is, and must stay as it is. What a step after
/// it in a chain finds is an ``UploadOutput``. Docs/uploads.md has the rules of the input.
public struct BackgroundUploadWorker: Worker {
    /// What to send, where to, and how.
    public typealias Input = UploadConfiguration
    /// What was sent, and what the server said.
    public typealias Output = UploadOutput

    /// The name that requests use.
    public static let name = "BackgroundUploadWorker"

    var transfers: TransferHandOff

    /// Hands the upload to the daemon. The scheduler calls it.
    ///
    /// Throws ``WorkerInputError`` for a configuration that breaks a rule, and ``AgentUnavailableError`` when the daemon
    /// cannot be reached.
    public func doWork(_ input: UploadConfiguration, context: WorkerContext) async throws -> WorkerResult {
        guard let key = context.handOffToken.key else {
            return .failure(message: "\(Self.name) was run without a work item, so nothing can be handed off")
        }
        try await transfers.handOff(input, key: key, workerName: Self.name)
        return .handedOff(
            context.handOffToken, message: "handed off to \(input.sessionIdentifier ?? transfers.sessionIdentifier)")
    }
}
