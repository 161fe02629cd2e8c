/// Why a transfer did not deliver its file.
package struct TransferFailure: Sendable, Hashable, Codable, Error, CustomStringConvertible {
    package enum Kind: String, Sendable, Hashable, Codable {
        /// No connection, no such host, a timeout, a reset, a TLS failure.
        case network
        /// The server's status is neither 200 nor 206.
        case status
        /// Fewer bytes than promised.
        case truncated
        /// An address, a scheme or a redirect that the policy forbids.
        case refused
        /// The staging file could not be written, or the file to upload not be read.
        case disk
        /// The file does not have the checksum that it should have.
        case checksum
        /// The file to upload has changed since it was handed off.
        case sourceChanged
        /// Longer than allowed, or too late.
        case limit
        /// The specification itself cannot be carried out.
        case invalid
    }

    package var kind: Kind
    /// What happened, to which URL (query redacted), and what to do about it.
    package var message: String
    /// Whether trying again may help: network errors, truncation, a full disk, 5xx, 408 and 429.
    package var isRetryable: Bool
    package var statusCode: Int?
    /// How long the server asked to wait before another try, in milliseconds from the failure on.
    package var retryAfterMs: Int64?
    /// From which the next transfer of the same download can continue (``DownloadJob/resumeToken``); `nil` where
    /// nothing can be continued.
    package var resumeToken: ResumeToken?

    package init(
        kind: Kind, message: String, isRetryable: Bool, statusCode: Int? = nil, retryAfterMs: Int64? = nil
    ) {
        self.kind = kind
        self.message = message
        self.isRetryable = isRetryable
        self.statusCode = statusCode
        self.retryAfterMs = retryAfterMs
    }

    package var description: String { message }
}
