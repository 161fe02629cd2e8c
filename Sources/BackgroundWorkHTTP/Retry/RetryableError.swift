/// An error that says whether another try may succeed, and when.
///
/// ``HTTPError`` and ``APIError`` do. An error of your own that does is repeated by ``retrying`` without a predicate.
public protocol RetryableError: Error {
    /// Whether the same operation may succeed later.
    var isRetryable: Bool { get }
    /// How long the server asks to wait before the next try, from the error on; `nil` if it does not say.
    var retryAfter: Duration? { get }
}

extension RetryableError {
    /// `nil`: the error does not say.
    public var retryAfter: Duration? { nil }
}

extension HTTPError: RetryableError {}
