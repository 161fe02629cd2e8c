import BackgroundWorkModel
import BackgroundWorkTransfers

/// Downloads that outlive the process, each under a name of the caller's, without a scheduler.
///
/// Ask with the same identifier at each launch. What has not begun begins, what is under way is waited for, and what has
/// ended while no process was there is told at once:
///
/// ```swift
/// let downloader = try Downloader(configuration: .init(directory: folder))
/// switch await downloader.networkResponse(from: download, with: "catalogue") {
/// case .success(let file): print(file.url)
/// case .retry(let after, _): print("ask again in", after ?? .seconds(60))
/// case .rejected(let status, let message): print(status, message)
/// case .failed(let error): print(error)
/// }
/// ```
///
/// An end is told once, to all who wait at that moment; after that a call with the identifier begins a new download.
public actor Downloader {
    /// Where it keeps its files, and how it behaves.
    public typealias Configuration = StandaloneTransferConfiguration

    private let client: StandaloneClient

    /// Opens the directory, and takes up what an earlier process has left. Blocks the calling thread while files are
    /// opened.
    ///
    /// Throws ``ConfigurationError`` when the directory is a scheduler's, or in use, or when a later version has written
    /// its record; ``FileError`` when it cannot be made or written; and ``UnsupportedTransfersError`` where there is no
    /// daemon. A record that is damaged is set aside under a dated name.
    public init(configuration: Configuration) throws { client = try StandaloneClient(configuration) }

    /// The end of the download that goes by the identifier, which begins with this call unless it has begun before.
    ///
    /// A success means that the whole file stands at its place, durably. While a transfer is under way, or has ended
    /// untold, the URL, `savePath`, checksum and duplicate policy must be those that it was begun with
    /// (``StandaloneTransferError/identifierInUse(_:)``); anything else may differ, and the transfer goes on as it was begun.
    /// When the caller's task is cancelled, the answer is a failure with `CancellationError`, and the download goes on.
    public func networkResponse(
        from download: DownloadConfiguration, with identifier: String
    ) async -> NetworkResponse<DownloadedFile> {
        let session = client.sessionIdentifier
        return await client.response(
            to: identifier,
            request: {
                // The policy is checked at the hand-off: a transfer that has begun keeps the one it began with.
                _ = try DownloadInputRules(worker: Self.name, addressPolicy: .unrestricted)
                    .validated(download, defaultSession: session)
                return StandaloneRequest(download)
            },
            begin: { handOff, key in
                try await handOff.handOff(download, defaultSession: session, key: key, workerName: Self.name)
                    .map { .succeeded(outputJSON: try $0.encoded()) }
            },
            file: { (output: DownloadOutput) in DownloadedFile(output) })
    }

    /// Ends the download that goes by the identifier, and discards an end that was not delivered. Waiting callers
    /// get ``StandaloneTransferError/cancelled(_:)``.
    ///
    /// Returns whether one was under way. A file that is just being moved to its place arrives there: `false`. Durable
    /// when it returns; a daemon that cannot be reached hears of it with the next connection.
    @discardableResult
    public func cancel(_ identifier: String) async throws -> Bool { try await client.transfers.cancel(identifier) }

    /// Waits until files that have come are in their places, for at most `gracePeriod`, and gives the directory back.
    /// Downloads go on with the daemon; those who wait get ``StandaloneTransferError/shutDown``.
    public func shutdown(gracePeriod: Duration = .seconds(10)) async {
        await client.transfers.shutDown(gracePeriod: gracePeriod)
    }

    private static let name = "Downloader"
}
