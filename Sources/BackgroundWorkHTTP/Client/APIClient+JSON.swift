import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkTransfers

/// Stands for a request without a body.
public struct NoBody: Encodable, Sendable {
    /// Creates it.
    public init() {}
}

/// An answer that may be missing.
private protocol OptionalAnswer {
    static var none: Self { get }
}

extension Optional: OptionalAnswer {}

/// The requests of a service that speaks JSON. They throw as ``APIClient`` says. An answer without a body, as of the status
/// 204, is `nil` where an `Optional` is expected, and an error otherwise.
extension APIClient {
    /// Asks for a resource, and decodes the answer.
    public func get<Answer: Decodable>(
        _ path: APIPath, as type: Answer.Type = Answer.self, query: APIQuery = [:], headers: HTTPHeaders = [:],
        cache: CachePolicy? = nil
    ) async throws -> Answer {
        try await call("GET", path, query, headers, NoBody(), cache, decode)
    }

    /// Sends `body`, and decodes the answer.
    public func post<Answer: Decodable>(
        _ path: APIPath, body: some Encodable = NoBody(), as type: Answer.Type = Answer.self, query: APIQuery = [:],
        headers: HTTPHeaders = [:]
    ) async throws -> Answer {
        try await call("POST", path, query, headers, body, nil, decode)
    }

    /// Sends `body`; what the server answers is ignored.
    public func post(
        _ path: APIPath, body: some Encodable = NoBody(), query: APIQuery = [:], headers: HTTPHeaders = [:]
    ) async throws {
        try await call("POST", path, query, headers, body, nil) { _, _ in }
    }

    /// Sends `body`, to replace a resource or create it, and decodes the answer.
    public func put<Answer: Decodable>(
        _ path: APIPath, body: some Encodable = NoBody(), as type: Answer.Type = Answer.self, query: APIQuery = [:],
        headers: HTTPHeaders = [:]
    ) async throws -> Answer {
        try await call("PUT", path, query, headers, body, nil, decode)
    }

    /// Sends `body`, to replace a resource or create it; what the server answers is ignored.
    public func put(
        _ path: APIPath, body: some Encodable = NoBody(), query: APIQuery = [:], headers: HTTPHeaders = [:]
    ) async throws {
        try await call("PUT", path, query, headers, body, nil) { _, _ in }
    }

    /// Sends `body`, to change a resource, and decodes the answer.
    public func patch<Answer: Decodable>(
        _ path: APIPath, body: some Encodable = NoBody(), as type: Answer.Type = Answer.self, query: APIQuery = [:],
        headers: HTTPHeaders = [:]
    ) async throws -> Answer {
        try await call("PATCH", path, query, headers, body, nil, decode)
    }

    /// Sends `body`, to change a resource; what the server answers is ignored.
    public func patch(
        _ path: APIPath, body: some Encodable = NoBody(), query: APIQuery = [:], headers: HTTPHeaders = [:]
    ) async throws {
        try await call("PATCH", path, query, headers, body, nil) { _, _ in }
    }

    /// Deletes a resource, with `body` if there is one, and decodes the answer.
    public func delete<Answer: Decodable>(
        _ path: APIPath, body: some Encodable = NoBody(), as type: Answer.Type = Answer.self, query: APIQuery = [:],
        headers: HTTPHeaders = [:]
    ) async throws -> Answer {
        try await call("DELETE", path, query, headers, body, nil, decode)
    }

    /// Deletes a resource, with `body` if there is one; what the server answers is ignored.
    public func delete(
        _ path: APIPath, body: some Encodable = NoBody(), query: APIQuery = [:], headers: HTTPHeaders = [:]
    ) async throws {
        try await call("DELETE", path, query, headers, body, nil) { _, _ in }
    }

    private func call<Result>(
        _ method: String, _ path: APIPath, _ query: APIQuery, _ headers: HTTPHeaders, _ body: some Encodable,
        _ policy: CachePolicy?, _ read: (HTTPRequest, HTTPResponse) throws -> Result
    ) async throws -> Result {
        var request = try request(method, path, query: query, headers: headers)
        try encode(body, into: &request)
        let (sent, response) = try await sent(request, policy)
        return try read(sent, response)
    }

    private func encode(_ body: some Encodable, into request: inout HTTPRequest) throws {
        if body is NoBody { return }
        do {
            request.body = .bytes(try makeEncoder().encode(body))
        } catch {
            let url = TransferURL(request.url, method: request.method)
            throw HTTPError.invalid("its body cannot be encoded: \(JSONCoding.words(for: error))", url)
        }
        if request.headers["Content-Type"] == nil { request.headers["Content-Type"] = "application/json" }
    }

    private func decode<Answer: Decodable>(_ request: HTTPRequest, _ response: HTTPResponse) throws -> Answer {
        if response.body.isEmpty, let type = Answer.self as? any OptionalAnswer.Type, let none = type.none as? Answer {
            return none
        }
        do {
            return try makeDecoder().decode(Answer.self, from: response.body)
        } catch {
            throw APIDecodingError(error, response, of: request, bodyLimit: errorBodyLimit)
        }
    }
}
