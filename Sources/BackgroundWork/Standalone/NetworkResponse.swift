/// How a transfer of a ``Downloader`` or an ``Uploader`` ended, by what there is to do about it.
public enum NetworkResponse<Success: Sendable>: Sendable {
    /// It was done, wholly.
    case success(Success)
    /// The server will not do it now (408, 429 or 5xx), and the daemon has tried as often as
    /// ``TransferOptions/retry`` says. Ask again; `after` is how long the server asked to wait from now on, at most.
    case retry(after: Duration?, statusCode: Int)
    /// The server will not do it (4xx otherwise). Asking again brings the same.
    case rejected(statusCode: Int, message: String)
    /// It could not be done: the network, the disk, a checksum, a policy, a mistake in the request. The error says what,
    /// and is a ``StandaloneTransferError`` where the transfer itself failed.
    case failed(any Error)

    /// How long the server asked to wait; `nil` where it did not ask.
    public var retryAfterInterval: Duration? {
        guard case .retry(let after, _) = self else { return nil }
        return after
    }

    /// What a success brought; `nil` otherwise.
    public var value: Success? {
        guard case .success(let value) = self else { return nil }
        return value
    }
}
