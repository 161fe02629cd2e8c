import BackgroundWorkModel
import BackgroundWorkTransfers

/// The `URLRequest` of a transfer.
enum TransferRequest {
    /// - Parameter contentType: of a multipart body.
    static func make(_ specification: TransferSpecification, contentType: String? = nil) throws -> URLRequest {
        guard let url = URL(string: specification.url) else {
            throw AgentFailure(
                code: .badRequest,
                message: "\(ShownURL.text(specification.url)) is not a valid URL. Correct the request.")
        }
        let options = specification.options
        var request = URLRequest(url: url)
        request.timeoutInterval = options.stallTimeout / .seconds(1)
        request.allowsCellularAccess = options.allowsCellularAccess
        for (name, value) in options.headers { request.setValue(value, forHTTPHeaderField: name) }
        if case .bearer(let token) = options.authentication {
            request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        }
        switch specification.job {
        case .download:
            request.httpMethod = "GET"
            // What is saved is what the server has: no stored copy stands in for it.
            request.cachePolicy = .reloadIgnoringLocalCacheData
        case .upload(let job):
            request.httpMethod = job.method
            if let type = contentType ?? mimeType(of: job.form) {
                request.setValue(type, forHTTPHeaderField: "Content-Type")
            }
        }
        return request
    }

    private static func mimeType(of form: UploadForm) -> String? {
        if case .body(let type) = form { type ?? "application/octet-stream" } else { nil }
    }
}
