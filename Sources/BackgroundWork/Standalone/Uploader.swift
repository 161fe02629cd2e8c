import BackgroundWorkFoundation
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
/// An end is returned once. A process that dies between receiving it and recording it cannot distinguish a finished
/// upload from one that has not begun, and sends the file again; where that must not happen, use a ``WorkScheduler``
/// and its durable events.
public actor Uploader {
    /// Where it keeps its files, and how it behaves.
    public typealias Configuration = StandaloneTransferConfiguration

    private let client: StandaloneClient

    /// Opens the directory, and continues what an earlier process has left; see ``Downloader/init(configuration:)``.
    public init(configuration: Configuration) throws { client = try StandaloneClient(configuration) }

    /// The end of the upload with this identifier, which begins with this call unless it has begun before.
    ///
    /// A success means that the server has accepted the whole file. While a transfer is in progress, or its end was not
    /// returned yet, the URL, file, method and form must be those that it was begun with
    /// (``StandaloneTransferError/identifierInUse(_:)``); anything else may differ, and the transfer continues as it
    /// was begun. When the caller's task is cancelled, the answer is a failure with `CancellationError`, and the upload
    /// continues.
    public func networkResponse(
        from upload: UploadConfiguration, with identifier: String
    ) async -> NetworkResponse<UploadedFile> {
        let (session, folders) = (client.sessionIdentifier, client.transfers.handOff.folders)
        return await client.response(
            to: identifier,
            request: {
                // The policy is checked at the hand-off: a transfer that has begun keeps the one it began with.
                _ = try UploadInputRules(worker: Self.name, securityPolicy: .unrestricted)
                    .validated(upload, defaultSession: session)
                return StandaloneRequest(upload)
            },
            begin: { handOff, key in
                try await handOff.handOff(upload, key: key, workerName: Self.name)
                return nil
            },
            file: { (output: UploadOutput) in UploadedFile(output.moved(by: folders)) })
    }

    /// Calls `completion` once, on the main actor, when what has ended in this object's session while no process was
    /// running has been processed: an end is returned to the next call with its identifier. Never before this has
    /// returned.
    ///
    /// For the handler that the system gives a widget or an extension:
    ///
    /// ```swift
    /// .onBackgroundURLSessionEvents(matching: { $0 == identifier }) { _, completion in
    ///     uploader.handleBackgroundSessionEvents(completion)
    /// }
    /// ```
    ///
    /// An app passes UIKit's to ``WorkScheduler/handleEvents(forBackgroundURLSession:completionHandler:)``.
    @MainActor
    public func handleBackgroundSessionEvents(_ completion: @escaping () -> Void) {
        client.handleEvents(then: completion)
    }

    /// Ends the upload with this identifier, and discards an end that was not delivered. Waiting callers get
    /// ``StandaloneTransferError/cancelled(_:)``. Returns whether one was in progress; durable when it returns.
    @discardableResult
    public func cancel(_ identifier: String) async throws -> Bool { try await client.transfers.cancel(identifier) }

    /// Releases the directory. The daemon continues uploads; waiting callers get ``StandaloneTransferError/shutDown``.
    public func shutdown(gracePeriod: Duration = .seconds(10)) async {
        await client.transfers.shutDown(gracePeriod: gracePeriod)
    }

    private static let name = "Uploader"
}

/// A file that an ``Uploader`` has sent, and what the server said.
public struct UploadedFile: Sendable, Hashable {
    /// The file.
    public var file: URL
    /// How many of its bytes were sent: all.
    public var bytes: Int64
    /// Of the server's answer.
    public var statusCode: Int
    /// Headers of that answer, by their names in lower case.
    public var headers: [String: String]
    /// The start of that answer's body, as text.
    public var responseBody: String?
    /// What has taken the file in the end, without the query.
    public var target: String

    init(_ output: UploadOutput) {
        file = URL(filePath: output.filePath)
        bytes = output.bytes
        statusCode = output.statusCode
        headers = output.headers ?? [:]
        responseBody = output.responseBody
        target = output.url
    }
}
