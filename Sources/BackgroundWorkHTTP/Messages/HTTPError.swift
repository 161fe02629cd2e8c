import BackgroundWorkFiles
import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkTransfers

/// A request got no complete response. A status is no error here: see ``HTTPResponseHead/status``.
public struct HTTPError: Error, Sendable, Hashable {
    /// What kind of failure it is.
    public enum Kind: String, Sendable, Hashable {
        /// No connection, no such host, a reset, a TLS failure, a response that is not HTTP.
        case network
        /// One of ``HTTPRequest/timeouts`` is over.
        case timeout
        /// Fewer bytes than promised.
        case truncated
        /// An address, a redirect or a path that the security policy forbids.
        case refused
        /// The response is longer than ``HTTPRequest/responseLimit``.
        case tooLong
        /// A file could not be read or written.
        case disk
        /// The request cannot be sent as it is.
        case invalid
    }

    /// What kind of failure it is.
    public let kind: Kind
    /// What happened, to which URL (without user, password and query), and what to do.
    public let message: String
    /// Whether the same request may succeed later.
    public let isRetryable: Bool

    init(kind: Kind, message: String, isRetryable: Bool) {
        self.kind = kind
        // Paths and what servers say may have anything in them.
        self.message = message.printable
        self.isRetryable = isRetryable
    }

    package init(_ failure: TransferFailure) {
        let kind: Kind =
            switch failure.kind {
            case .network, .status: .network
            case .truncated: .truncated
            case .refused: .refused
            case .disk, .sourceChanged: .disk
            case .checksum, .limit, .invalid: .invalid
            }
        self.init(kind: kind, message: failure.message, isRetryable: failure.isRetryable)
    }

    static func invalid(_ problem: String, _ url: TransferURL) -> HTTPError {
        HTTPError(kind: .invalid, message: "\(url.label): \(problem). Correct the request.", isRetryable: false)
    }

    /// The same without secrets of its request.
    func hiding(_ secrets: KnownSecrets) -> HTTPError {
        secrets.isEmpty
            ? self : HTTPError(kind: kind, message: secrets.hidden(in: message), isRetryable: isRetryable)
    }

    /// Of a body that nobody needs any more; its request has ended.
    static let cancelledBody = HTTPError(kind: .invalid, message: "The request has ended.", isRetryable: false)

    /// Of a body that another task waits for.
    static let secondReader = HTTPError(
        kind: .invalid, message: "Another task is reading this body. Read it in one task.", isRetryable: false)

    static func disk(_ error: FileError, _ url: TransferURL) -> HTTPError {
        HTTPError(kind: .disk, message: "\(url.label): \(error)", isRetryable: error.isTransient || error.isOutOfSpace)
    }

    /// What the rules for files, or the disk, say.
    init(fileError error: any Error, _ url: TransferURL) {
        switch error {
        case let error as HTTPError: self = error
        case let error as FileError: self = .disk(error, url)
        default: self.init(kind: .refused, message: "\(url.label): \(error)", isRetryable: false)
        }
    }

    static func tooLong(limit: Int64, _ url: TransferURL) -> HTTPError {
        HTTPError(
            kind: .tooLong,
            message: "\(url.label): the response has more than \(limit) bytes. Raise the request's responseLimit, or "
                + "take the response as a stream or a file.", isRetryable: false)
    }

    static func timeout(_ what: String, _ duration: Duration, _ url: TransferURL) -> HTTPError {
        HTTPError(
            kind: .timeout,
            message: "\(url.label): \(what) \(duration.milliseconds) ms. Try again, or allow more time.",
            isRetryable: true)
    }
}

extension HTTPError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}

extension HTTPError: LocalizedError {
    /// The message.
    public var errorDescription: String? { message }
}

extension FileRules {
    /// Throws when the path, as it is written, may not be used.
    func check(_ path: String, for url: TransferURL, use: Use = .content) throws(HTTPError) {
        guard let complaint = complaint(about: path, for: use) else { return }
        throw HTTPError(kind: .refused, message: "\(url.label): the path of its file: \(complaint)", isRetryable: false)
    }
}
