import BackgroundWorkHTTP
import BackgroundWorkTransfers

/// A form that a server has accepted.
struct SentForm: Sendable {
    /// Of the response.
    var head: HTTPResponseHead
    /// The start of the response's body, without secrets.
    var body: String
    /// The length of the file.
    var bytes: Int64
}

extension WorkerRequests {
    /// How much of a response is kept, as of uploads in the background.
    private static let keptBytes = 64 << 10

    /// Opens a form's file where the policy allows it, and sends the form with `POST`. Of the response no more is read than
    /// is kept.
    func upload(
        _ form: HTTPForm, to url: String, progress: @escaping @Sendable (HTTPProgress) -> Void
    ) async throws -> SentForm {
        var form = form
        let request = request(url, method: "POST")
        let file = try await open(form.filePath, for: request)
        form.file = file
        var filled = request
        filled.body = .form(form)
        let (head, body) = try await exchange(
            filled, keeping: Self.keptBytes, readsAll: false, progress: progress)
        return SentForm(head: head, body: text(of: body), bytes: file.bytes)
    }
}
