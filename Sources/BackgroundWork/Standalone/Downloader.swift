import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkTransfers

/// Downloads that outlive the process, each under a name of the caller's, without a scheduler.
///
/// Ask with the same identifier at each launch. What has not begun begins, what is in progress is waited for, and the
/// end of what has ended while no process was there is returned at once:
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
/// An end is returned once, to all callers that wait at that moment; after that a call with the identifier begins a new
/// download.
public actor Downloader {
    /// Where it keeps its files, and how it behaves.
    public typealias Configuration = StandaloneTransferConfiguration

    private let client: StandaloneClient

    /// Opens the directory, and continues what an earlier process has left. Blocks the calling thread while files are
    /// opened.
    ///
    /// Throws ``ConfigurationError`` when the directory is a scheduler's, or in use, or when a later version has written
    /// its record; ``FileError`` when it cannot be made or written; and ``UnsupportedTransfersError`` where there is no
    /// daemon. A record that is damaged is set aside under a dated name.
    public init(configuration: Configuration) throws { client = try StandaloneClient(configuration) }

    /// The end of the download with this identifier, which begins with this call unless it has begun before.
    ///
    /// A success means that the whole file stands at its place, durably. While a transfer is in progress, or its end
    /// was not returned yet, the URL, `savePath`, checksum and duplicate policy must be those that it was begun with
    /// (``StandaloneTransferError/identifierInUse(_:)``); anything else may differ, and the transfer continues as it
    /// was begun. When the caller's task is cancelled, the answer is a failure with `CancellationError`, and the
    /// download continues.
    public func networkResponse(
        from download: DownloadConfiguration, with identifier: String
    ) async -> NetworkResponse<DownloadedFile> {
        let (session, folders) = (client.sessionIdentifier, client.transfers.handOff.folders)
        return await client.response(
            to: identifier,
            request: {
                // The policy is checked at the hand-off: a transfer that has begun keeps the one it began with.
                _ = try DownloadInputRules(worker: Self.name, securityPolicy: .unrestricted)
                    .validated(download, defaultSession: session)
                return StandaloneRequest(download)
            },
            begin: { handOff, key in
                try await handOff.handOff(download, defaultSession: session, key: key, workerName: Self.name)
                    .map { .succeeded(outputJSON: try $0.encoded()) }
            },
            file: { (output: DownloadOutput) in DownloadedFile(output.moved(by: folders)) })
    }

    /// Calls `completion` once, on the main actor, when what has ended in this object's session while no process was
    /// running has been processed: an end is returned to the next call with its identifier. Never before this has
    /// returned.
    ///
    /// For the handler that the system gives a widget or an extension:
    ///
    /// ```swift
    /// .onBackgroundURLSessionEvents(matching: { $0 == identifier }) { _, completion in
    ///     downloader.handleBackgroundSessionEvents(completion)
    /// }
    /// ```
    ///
    /// An app passes UIKit's to ``WorkScheduler/handleEvents(forBackgroundURLSession:completionHandler:)``.
    @MainActor
    public func handleBackgroundSessionEvents(_ completion: @escaping () -> Void) {
        client.handleEvents(then: completion)
    }

    /// Ends the download with this identifier, and discards an end that was not delivered. Waiting callers
    /// get ``StandaloneTransferError/cancelled(_:)``.
    ///
    /// Returns whether one was in progress. A file that is just being moved to its place arrives there: `false`.
    /// Durable when it returns; a daemon that cannot be reached gets the cancellation with the next connection.
    @discardableResult
    public func cancel(_ identifier: String) async throws -> Bool { try await client.transfers.cancel(identifier) }

    /// Waits until files that have arrived are in their places, for at most `gracePeriod`, and releases the directory.
    /// The daemon continues downloads; waiting callers get ``StandaloneTransferError/shutDown``.
    public func shutdown(gracePeriod: Duration = .seconds(10)) async {
        await client.transfers.shutDown(gracePeriod: gracePeriod)
    }

    private static let name = "Downloader"
}

/// A file that a ``Downloader`` has put in its place.
public struct DownloadedFile: Sendable, Hashable {
    /// Where it stands. Another name than was asked for if that was a folder, or was taken under
    /// ``DuplicatePolicy/rename``.
    public var url: URL
    /// Its length.
    public var bytes: Int64
    /// Whether it stood there before, and was left as it is under ``DuplicatePolicy/skip``.
    public var wasSkipped: Bool
    /// Of the server's last answer; `nil` when no server was asked.
    public var statusCode: Int?
    /// Headers of that answer, by their names in lower case.
    public var headers: [String: String]
    /// Where it came from in the end, without the query; `nil` when no server was asked.
    public var source: String?

    init(_ output: DownloadOutput) {
        url = URL(filePath: output.savePath)
        bytes = output.bytes
        wasSkipped = output.skipped ?? false
        statusCode = output.statusCode
        headers = output.headers ?? [:]
        source = output.url
    }
}
