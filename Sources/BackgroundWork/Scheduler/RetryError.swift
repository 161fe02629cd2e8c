import BackgroundWorkFoundation

/// Work cannot be retried. Nothing changed.
public enum RetryError: Error, Hashable, CustomStringConvertible {
    /// These transfers have ended, and the secrets in their inputs were deleted with that: credentials, tokens, queries
    /// of URLs. Without them they would not be the same transfers.
    case secretsRemoved(ids: [String])

    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .secretsRemoved(let ids):
            "\(Listing.few(ids)) cannot be retried: the secrets of a transfer (credentials, tokens, the queries of "
                + "URLs) are deleted when it ends. Enqueue it again with its input."
        }
    }
}

extension RetryError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
