import BackgroundWorkModel
import BackgroundWorkTransfers

/// Uploads that outlive the process, each under a name of the caller's, without a scheduler.
///
/// It is to uploads what ``Downloader`` is to downloads:
///
/// ```swift
/// let uploader = try Uploader(configuration: .init(directory: folder))
/// let response = await uploader.networkResponse(from: upload, with: "photo-17")
/// ```
///
/// An end is told once. A process that dies between taking it and noting it cannot tell a finished upload from one that
/// has not begun, and sends the file again; where that must not be, use a ``WorkScheduler`` and its durable events.
public actor Uploader {
    /// Where it keeps its files, and how it behaves.
    public typealias Configuration = StandaloneTransferConfiguration

    private let client: StandaloneClient

    /// Opens the directory, and takes up what an earlier process has left; see ``Downloader/init(configuration:)``.
    public init(configuration: Configuration) throws { client = try StandaloneClient(configuration) }

    /// The end of the upload that goes by the identifier, which begins with this call unless it has begun before.
    ///
    /// A success means that the server has taken the whole file. While a transfer is under way, or has ended untold, the
    /// URL, file, method and form must be those that it was begun with (``StandaloneTransferError/identifierInUse(_:)``);
    /// anything else may differ, and the transfer goes on as it was begun. When the caller's task is cancelled, the
    /// answer is a failure with `CancellationError`, and the upload goes on.
    public func networkResponse(
        from upload: UploadConfiguration, with identifier: String
    ) async -> NetworkResponse<UploadedFile> {
        let session = client.sessionIdentifier
        return await client.response(
            to: identifier,
            request: {
                // The policy is checked at the hand-off: a transfer that has begun keeps the one it began with.
                _ = try UploadInputRules(worker: Self.name, addressPolicy: .unrestricted)
                    .validated(upload, defaultSession: session)
                return StandaloneRequest(upload)
            },
            begin: { handOff, key in
                try await handOff.handOff(upload, key: key, workerName: Self.name)
                return nil
            },
            file: { (output: UploadOutput) in UploadedFile(output) })
    }

    /// Ends the upload that goes by the identifier, and discards an end that was not delivered. Waiting callers get
    /// ``StandaloneTransferError/cancelled(_:)``. Returns whether one was under way; durable when it returns.
    @discardableResult
    public func cancel(_ identifier: String) async throws -> Bool { try await client.transfers.cancel(identifier) }

    /// Gives the directory back. Uploads go on with the daemon; those who wait get ``StandaloneTransferError/shutDown``.
    public func shutdown(gracePeriod: Duration = .seconds(10)) async {
        await client.transfers.shutDown(gracePeriod: gracePeriod)
    }

    private static let name = "Uploader"
}
