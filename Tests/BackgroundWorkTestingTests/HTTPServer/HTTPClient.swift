import BackgroundWorkURLSession

/// Requests by URLSession, which every platform has. For what only one client shows, such as the way in which an answer
/// fails, there is ``Curl``.
enum HTTPClient {
    struct Answer: Sendable {
        let status: Int
        let body: [UInt8]
        fileprivate let response: HTTPURLResponse

        var text: String { String(decoding: body, as: UTF8.self) }

        func header(_ name: String) -> String? { response.value(forHTTPHeaderField: name) }
    }

    /// The answer to one request, on a connection of its own. Throws `URLError` for an answer that is not whole.
    static func answer(
        _ url: String, method: String = "GET", headers: [String: String] = [:],
        body: (some Sequence<UInt8>)? = [UInt8]?.none
    ) async throws -> Answer {
        var request = URLRequest(url: URL(string: url)!, cachePolicy: .reloadIgnoringLocalAndRemoteCacheData)
        request.httpMethod = method
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        request.httpBody = body.map { Data($0) }
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        return try await withCheckedThrowingContinuation { continuation in
            session.dataTask(with: request) { data, response, error in
                if let response = response as? HTTPURLResponse, error == nil {
                    continuation.resume(
                        returning: Answer(status: response.statusCode, body: Array(data ?? Data()), response: response))
                } else {
                    continuation.resume(throwing: error ?? URLError(.badServerResponse))
                }
            }.resume()
        }
    }
}
