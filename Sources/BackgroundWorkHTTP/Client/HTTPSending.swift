/// Sends a request and returns the response with its whole body: a transport, or what stands before one.
package protocol HTTPSending: Sendable {
    /// Throws ``HTTPError``; `CancellationError` at once when the task is cancelled.
    func send(
        _ request: HTTPRequest, progress: (@Sendable (HTTPProgress) -> Void)?
    ) async throws -> HTTPResponse
}

extension HTTPTransport: HTTPSending {}
