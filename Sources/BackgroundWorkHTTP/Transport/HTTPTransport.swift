import BackgroundWorkFiles
import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkSystem
import BackgroundWorkTransfers
import Dispatch

/// Sends HTTP requests from this process: by the system's libcurl on Linux, by `URLSession` on Apple's platforms.
///
/// Connections are reused by the requests of one transport, so make one and keep it. Nothing runs before the first
/// request, and the transport stays until its last one has ended. Unlike the transfers of a scheduler, a
/// request ends with its process.
///
/// ```swift
/// let transport = HTTPTransport()
/// let response = try await transport.send(HTTPRequest("https://example.com/feed.json"))
/// print(response.status, response.body.count)
/// ```
public final class HTTPTransport: Sendable {
    /// What its requests share.
    public let configuration: Configuration
    private let backend: any HTTPBackend
    /// Why no request can be sent; `nil` if the configuration is valid.
    private let complaint: String?

    /// Whether requests may have a ``HTTPRequest/bytesPerSecond`` on this platform.
    package static var limitsSpeed: Bool { PlatformBackend.limitsSpeed }

    /// Creates a transport. It opens nothing yet.
    public init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
        backend = PlatformBackend(configuration)
        if let rate = configuration.bytesPerSecond, rate <= 0 {
            complaint = "the transport's bytesPerSecond is \(rate), but must be above 0, or nil for no limit"
        } else {
            complaint = configuration.securityPolicy.complaint.map { "the transport's security policy: \($0)" }
        }
    }

    deinit { backend.close() }

    /// Sends a request and returns the response with its whole body, at most ``HTTPRequest/responseLimit``
    /// bytes, 16 MiB if it has none.
    ///
    /// Throws ``HTTPError``; `CancellationError` at once when the task is cancelled.
    ///
    /// - Parameter progress: called on the transport's own thread, at most ten times a second and at the end; it must not
    ///   block.
    public func send(
        _ request: HTTPRequest, progress: (@Sendable (HTTPProgress) -> Void)? = nil
    ) async throws -> HTTPResponse {
        let sink = CollectingSink()
        return try await run(request, into: sink, progress) { _ in try await sink.response() }
    }

    /// Sends a request and returns as soon as the head of the response is there; its body is read from the stream.
    ///
    /// Throws as ``send(_:progress:)`` does, before the head is there; what happens later is thrown by the stream.
    public func stream(
        _ request: HTTPRequest, progress: (@Sendable (HTTPProgress) -> Void)? = nil
    ) async throws -> HTTPStreamedResponse {
        let sink = StreamingSink()
        return try await run(request, into: sink, progress) { call in
            HTTPStreamedResponse(
                head: try await sink.head(), body: HTTPBodyStream(sink, of: call, keeping: self))
        }
    }

    /// Sends a request and writes the response's body to a new file, which takes the place of one that was there when it
    /// is complete. A response whose status is not 2xx leaves the file alone, and comes with its body, of which at most
    /// a mebibyte is kept. Folders that are missing are created; the path follows the security policy. The file is on
    /// the disk when the system has written it: for downloads that outlive a power cut use a `Downloader`.
    ///
    /// Throws as ``send(_:progress:)`` does, before the request is sent if there is a folder at the path, or its method is
    /// HEAD; nothing is left then. ``HTTPRequest/responseLimit`` holds for files too.
    public func download(
        _ request: HTTPRequest, to path: String, progress: (@Sendable (HTTPProgress) -> Void)? = nil
    ) async throws -> HTTPResponse {
        let url = TransferURL(request.url, method: request.method)
        guard request.method != "HEAD" else {
            throw HTTPError.invalid("a HEAD request has no body to save; send it without a file", url)
        }
        try await DownloadTarget.check(path, for: url, policy: configuration.securityPolicy)
        let sink = try FileSink(path: path, url: url, policy: configuration.securityPolicy)
        return try await run(request, into: sink, progress) { _ in try await sink.response() }
    }

    private func run<Answer: Sendable>(
        _ request: HTTPRequest, into sink: some ResponseSink, _ progress: (@Sendable (HTTPProgress) -> Void)?,
        answer: (HTTPCall) async throws -> Answer
    ) async throws -> Answer {
        try Task.checkCancellation()
        if let complaint { throw HTTPError.invalid(complaint, TransferURL(request.url, method: request.method)) }
        let prepared = try PreparedRequest(request, configuration)
        let body: (any BodySource)? =
            switch request.body {
            case .bytes(let bytes): BytesSource(bytes)
            case .file(let path): try await FileSource.open(path, for: prepared.url, policy: prepared.policy)
            case .form(let form): try await FileSource.open(form, for: prepared.url, policy: prepared.policy)
            case .stream(let length, let stream): StreamSource(stream, length: length, for: prepared.url)
            case nil: nil
            }
        let call = HTTPCall(prepared, body: body, sink: sink, progress: progress)
        return try await withTaskCancellationHandler {
            backend.begin(call)
            return try await answer(call)
        } onCancel: {
            call.cancel()
        }
    }
}

/// Whether a file can have a path, as far as that is known before its content is there.
enum DownloadTarget {
    private static let queue = DispatchQueue(label: "BackgroundWork.HTTP.DownloadTarget", attributes: .concurrent)

    /// Throws an ``HTTPError`` when the path is that of a folder, or the policy does not allow it.
    static func check(_ path: String, for url: TransferURL, policy: SecurityPolicy) async throws {
        try FileRules(policy).check(path, for: url)
        // What is normalized has lost them.
        let last = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last ?? ""[...].utf8
        guard !last.isEmpty, !last.elementsEqual(".".utf8), await !isFolder(FileRules.normalized(path)) else {
            throw HTTPError(
                kind: .disk,
                message:
                    "\(url.label): cannot save the file at \(path.printable), which is a folder. Add the file's name.",
                isRetryable: false)
        }
    }

    /// A link is none: it is replaced.
    private static func isFolder(_ path: String) async -> Bool {
        await withCheckedContinuation { continuation in
            queue.async {
                var status = stat()
                continuation.resume(returning: lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR)
            }
        }
    }
}
