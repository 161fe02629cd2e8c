import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkTransfers

extension HttpSyncWorker {
    /// What is to be sent, and where to.
    public struct Input: Sendable, Hashable, WorkerInput {
        /// http or https. JSON: `url`.
        public var url: String
        /// `GET`, `POST`, `PUT` or `PATCH`, in any case. JSON: `method`, left out it is `POST`.
        public var method: String
        /// JSON: `requestBody`.
        private(set) var requestBody: JSONValue?
        /// The most bytes of the response's body, after decompression; a longer one fails the request. `nil` for 16 MiB,
        /// or 1 MiB where it is kept. JSON: `maxResponseBytes`.
        public var maximumResponseBytes: Int64?
        /// Whether the output has the response's body. JSON: `keepResponseBody`.
        public var keepsResponseBody = false
        /// What the workers that send requests have in common.
        public var options = HTTPWorkerOptions()

        /// Creates a request without a body; see ``setBody(_:)``. It is checked when it is enqueued.
        public init(url: String, method: String = "POST") {
            self.url = url
            self.method = method
        }

        /// Sets what is sent. Dates and binary data are written as `JSONEncoder` does by default. Throws `EncodingError` for a
        /// value that cannot be written as JSON.
        public mutating func setBody(_ value: some Encodable) throws {
            requestBody = try JSONCoding.value(JSONValue.self, from: try JSONCoding.text(of: value))
        }

        /// The body as it is sent: members in the order of their names, numbers as 64-bit integers or doubles; `nil` for
        /// none.
        public var bodyJSON: String? { requestBody.map { JSONCoding.certainText(of: $0) } }

        var response: ResponseChoice { ResponseChoice(limit: maximumResponseBytes, isKept: keepsResponseBody) }
    }

    /// What the server has answered.
    public struct Output: Sendable, Hashable, Codable {
        /// That has answered, after redirects, without user, password, query and fragment. JSON: `url`.
        public var url: String
        /// From 200 to 299. JSON: `status`.
        public var status: Int
        /// The response's body as text, with `…` for the request's secrets, if ``Input/keepsResponseBody`` was set. JSON:
        /// `responseBody`.
        public var responseBody: String?

        /// Creates an output, for tests.
        public init(url: String, status: Int, responseBody: String? = nil) {
            self.url = url
            self.status = status
            self.responseBody = responseBody
        }
    }
}

extension HttpSyncWorker.Input {
    private enum CodingKeys: String, CodingKey { case url, method, requestBody }

    /// Absent and null fields take their defaults; unknown ones are ignored.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        url = try container.decode(String.self, forKey: .url)
        method = try container.decodeIfPresent(String.self, forKey: .method) ?? "POST"
        requestBody = try container.decodeIfPresent(JSONValue.self, forKey: .requestBody)
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
        try container.encodeIfPresent(requestBody, forKey: .requestBody)
    }

    /// The request as JSON text: the worker's input.
    public var inputJSON: String { JSONCoding.certainText(of: self) }
}

extension HttpSyncWorker.Input: CustomReflectable {
    /// Without secrets: its URL without user, password, query and fragment, and no body.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "url": ShownURL.text(url), "method": method, "hasBody": requestBody != nil,
                "maximumResponseBytes": maximumResponseBytes as Any, "keepsResponseBody": keepsResponseBody,
                "options": options,
            ], displayStyle: .struct)
    }
}
