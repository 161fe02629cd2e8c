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
        /// The staging file could not be written.
        case disk
        /// The specification itself cannot be carried out.
        case invalid
    }

    package var kind: Kind
    /// What happened, to which URL (query redacted), and what to do about it.
    package var message: String
    /// Whether trying again may help: network errors, truncation, a full disk, 5xx, 408 and 429.
    package var isRetryable: Bool
    package var statusCode: Int?

    package init(kind: Kind, message: String, isRetryable: Bool, statusCode: Int? = nil) {
        self.kind = kind
        self.message = message
        self.isRetryable = isRetryable
        self.statusCode = statusCode
    }

    package var description: String { message }
}
