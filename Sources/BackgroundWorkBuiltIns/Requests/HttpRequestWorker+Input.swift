import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkTransfers

extension HttpRequestWorker {
    /// A request to be sent.
    public struct Input: Sendable, Hashable, WorkerInput {
        /// http or https. JSON: `url`.
        public var url: String
        /// `GET`, `POST`, `PUT`, `DELETE` or `PATCH`, in any case. JSON: `method`, left out it is `GET`.
        public var method: String
        /// Its body, as it is sent; `nil` for none, as a `GET` must have it. No `Content-Type` is added. JSON: `body`.
        public var body: String?
        /// The most bytes of the response's body, after decompression; a longer one fails the request. `nil` for 16 MiB,
        /// or 1 MiB where it is kept. JSON: `maxResponseBytes`.
        public var maximumResponseBytes: Int64?
        /// Whether the output has the response's body. JSON: `keepResponseBody`.
        public var keepsResponseBody = false
        /// What the workers that send requests have in common.
        public var options = HTTPWorkerOptions()

        /// Creates a request. It is checked when it is enqueued.
        public init(url: String, method: String = "GET", body: String? = nil) {
            self.url = url
            self.method = method
            self.body = body
        }

        var response: ResponseChoice { ResponseChoice(limit: maximumResponseBytes, isKept: keepsResponseBody) }
    }

    /// What the server has answered.
    public struct Output: Sendable, Hashable, Codable {
        /// From 200 to 299. JSON: `statusCode`.
        public var statusCode: Int
        /// In capitals. JSON: `method`.
        public var method: String
        /// That has answered, after redirects, without user, password, query and fragment. JSON: `url`.
        public var url: String
        /// The response's body as text, with `…` for the request's secrets, if ``Input/keepsResponseBody`` was set. JSON:
        /// `responseBody`.
        public var responseBody: String?

        /// Creates an output, for tests.
        public init(statusCode: Int, method: String, url: String, responseBody: String? = nil) {
            self.statusCode = statusCode
            self.method = method
            self.url = url
            self.responseBody = responseBody
        }
    }
}

extension HttpRequestWorker.Input {
    private enum CodingKeys: String, CodingKey { case url, method, body }

    /// Absent and null fields take their defaults; unknown ones are ignored.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        url = try container.decode(String.self, forKey: .url)
        method = try container.decodeIfPresent(String.self, forKey: .method) ?? "GET"
        body = try container.decodeIfPresent(String.self, forKey: .body)
        let response = try ResponseFields(from: decoder)
        (maximumResponseBytes, keepsResponseBody) = (response.limit, response.isKept)
        options = try HTTPWorkerOptions(from: decoder)
    }

    /// Writes what differs from the defaults.
    public func encode(to encoder: any Encoder) throws {
        try options.encode(to: encoder)
        try ResponseFields(limit: maximumResponseBytes, isKept: keepsResponseBody).encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(url, forKey: .url)
        try container.encode(method, forKey: .method)
        try container.encodeIfPresent(body, forKey: .body)
    }

    /// The request as JSON text: the worker's input.
    public var inputJSON: String { JSONCoding.certainText(of: self) }
}

extension HttpRequestWorker.Input: CustomReflectable {
    /// Without secrets: its URL without user, password, query and fragment, and no body.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "url": ShownURL.text(url), "method": method, "bodyBytes": body?.utf8.count as Any,
                "maximumResponseBytes": maximumResponseBytes as Any, "keepsResponseBody": keepsResponseBody,
                "options": options,
            ], displayStyle: .struct)
    }
}
