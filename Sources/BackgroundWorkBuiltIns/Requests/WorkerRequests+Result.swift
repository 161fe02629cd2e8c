import BackgroundWorkFoundation
import BackgroundWorkHTTP
import BackgroundWorkModel
import BackgroundWorkTransfers

extension WorkerRequests {
    /// Sends a request, and returns what its worker does: a success with an output made of the head and, if it is kept, of
    /// the body's text; a retry; or a failure. Throws a `CancellationError` at once when the task is cancelled.
    func result(
        of request: HTTPRequest, _ choice: ResponseChoice, _ context: WorkerContext,
        output: (HTTPResponseHead, String?) -> some Encodable
    ) async throws -> WorkerResult {
        var request = request
        request.responseLimit = choice.limit
        do {
            let (head, body) = try await exchange(request, keeping: choice.isKept ? Int(choice.limit) : 0) {
                context.report(WorkerProgress($0))
            }
            return try .success(
                message: "\(TransferURL(request.url, method: request.method).label): \(head.status)",
                output: output(head, choice.isKept ? text(of: body) : nil))
        } catch let failure as TransferFailure {
            return failure.workerResult
        }
    }

    /// Sends a request and reads the whole response, of which the first bytes are kept. Throws a ``TransferFailure`` for any
    /// status other than 2xx, whose body is not read.
    ///
    /// - Parameter readsAll: whether the rest is read as well, and counts for the request's limit.
    func exchange(
        _ request: HTTPRequest, keeping bytes: Int, readsAll: Bool = true,
        progress: @escaping @Sendable (HTTPProgress) -> Void
    ) async throws -> (head: HTTPResponseHead, body: Data) {
        let response = try await stream(request, progress: progress)
        if let failure = failure(of: response.head, to: request) { throw failure }
        var kept = Data()
        do {
            for try await piece in response.body {
                kept += piece.prefix(bytes - kept.count)
                if kept.count == bytes, !readsAll { break }
            }
        } catch {
            throw failure(error, of: request)
        }
        return (response.head, kept)
    }

    /// What a server has said, without what it was sent.
    func text(of body: Data) -> String { secrets.hidden(in: String(decoding: body, as: UTF8.self)) }
}
